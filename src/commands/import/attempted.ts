import { AgentformError } from '../../errors.ts';

/** What came of it, or why nothing did. */
export async function attempted<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result?: Result; readonly problem?: string }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (error instanceof AgentformError) return { problem: error.message };
    throw error;
  }
}
