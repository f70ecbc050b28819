/** Milliseconds of the processor that this process has had: what a task takes, whatever else the machine has to do. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
