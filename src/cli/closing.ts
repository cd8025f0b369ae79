/** What is open and has to be closed, the newest first, whatever happens. */
export class Closing {
  readonly #closers: (() => void | Promise<void>)[] = [];

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes everything; what fails comes back and keeps nothing else open. */
  async close(): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    return failures;
  }
}
