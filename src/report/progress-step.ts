import { visibleLine } from './visible-text.ts';

/** One line of a progress display, without characters that a terminal would act on. It keeps its state itself, because the display may open later or never. */
export interface Step {
  /** Undefined: not to be shown yet. */
  readonly title: string | undefined;
  readonly isFailed: boolean;
  readonly isFinished: boolean;
  readonly finished: Promise<void>;
  show(title: string): void;
  /** The first call counts. */
  finish(title?: string, isFailed?: boolean): void;
  /** Is told every new title. */
  watch(listener: (title: string) => void): void;
}

export function createStep(): Step {
  const state = { title: undefined as string | undefined, isFailed: false, isFinished: false };
  let listener: ((title: string) => void) | undefined;
  const { promise, resolve } = deferred();
  const show = (text: string) => {
    const title = visibleLine(text);
    if (state.isFinished || title === state.title) return;
    state.title = title;
    listener?.(title);
  };
  return {
    get title() {
      return state.title;
    },
    get isFailed() {
      return state.isFailed;
    },
    get isFinished() {
      return state.isFinished;
    },
    finished: promise,
    show,
    finish: (title, isFailed = false) => {
      if (state.isFinished) return;
      if (title !== undefined) show(title);
      Object.assign(state, { isFinished: true, isFailed });
      resolve();
    },
    watch: (listen) => {
      listener = listen;
    },
  };
}

/** Promise.withResolvers, which Node 20 does not have. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
