/**
 * A cancelled job gets SIGINT, and SIGTERM some seconds later: what is in flight is finished and recorded. The runner
 * itself ends what takes longer.
 */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.on('SIGINT', abort).on('SIGTERM', abort);
  return controller.signal;
}
