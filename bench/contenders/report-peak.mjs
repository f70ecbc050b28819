// This module is preloaded into a measured run. When the run exits, it writes the run's peak resident memory in bytes.
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.BENCH_PEAK_FILE, String(peakBytes())));

/**
 * Returns the peak memory. On Linux, maxRSS includes the memory of the process that forked this process, so the
 * high-water mark in /proc is preferred.
 */
function peakBytes() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
