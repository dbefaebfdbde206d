export interface Repeated {
  /** Resolves when the run under way has ended; there is none after it. */
  stop(): Promise<void>;
}

/** Does something again and again, one run after the other. A run that fails is told of, and the next one comes all the same. */
export function repeat(everyMillis: number, work: () => Promise<void>, failed: (cause: unknown) => void): Repeated {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      failed(cause);
    }
    if (!stopped) next();
  };
  const next = (): void => {
    timer = setTimeout(() => {
      running = run();
    }, everyMillis).unref();
  };
  next();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
