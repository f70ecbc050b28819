/** Runs a test without root's right to read and write every file. */
export async function asOrdinaryUser<T>(body: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await body();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
