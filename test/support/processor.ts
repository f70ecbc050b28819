/**
 * Returns the processor time of this process in milliseconds. Unlike elapsed time, it is not affected by other load.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
