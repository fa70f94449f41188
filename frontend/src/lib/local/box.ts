/** A database of this browser with one kind of value, each under the name of its game. */

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("unknown"));
  });
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  });
}

export class Box<T extends { game: string }> {
  #opening: Promise<IDBDatabase> | null = null;

  constructor(
    private readonly database: string,
    private readonly store: string,
  ) {}

  put(value: T): Promise<unknown> {
    return this.#run("readwrite", (values) => values.put(value));
  }

  get(game: string): Promise<T | undefined> {
    return this.#run<T | undefined>("readonly", (values) => values.get(game) as IDBRequest<T | undefined>);
  }

  list(): Promise<T[]> {
    return this.#run<T[]>("readonly", (values) => values.getAll() as IDBRequest<T[]>);
  }

  /** Changes a value in one transaction; nothing is written where there is none, or nothing to change. */
  async update(game: string, change: (value: T) => T | undefined): Promise<"changed" | "same" | "gone"> {
    const transaction = (await this.#open()).transaction(this.store, "readwrite");
    const values = transaction.objectStore(this.store);
    const before = await done(values.get(game) as IDBRequest<T | undefined>);
    const after = before && change(before);
    if (after === undefined) return before === undefined ? "gone" : "same";
    await done(values.put(after));
    await completed(transaction);
    return "changed";
  }

  delete(game: string): Promise<unknown> {
    return this.#run("readwrite", (values) => values.delete(game));
  }

  clear(): Promise<unknown> {
    return this.#run("readwrite", (values) => values.clear());
  }

  #open(): Promise<IDBDatabase> {
    if (this.#opening) return this.#opening;
    const request = indexedDB.open(this.database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(this.store, { keyPath: "game" });
    const opening = done(request);
    const forget = (): void => {
      if (this.#opening === opening) this.#opening = null;
    };
    this.#opening = opening;
    // A browser closes connections when people delete what pages have stored, or when its disk fails.
    opening.then((database) => (database.onclose = forget)).catch(forget);
    return opening;
  }

  async #run<R>(mode: IDBTransactionMode, work: (values: IDBObjectStore) => IDBRequest<R>): Promise<R> {
    const transaction = (await this.#open()).transaction(this.store, mode);
    const result = await done(work(transaction.objectStore(this.store)));
    if (mode === "readwrite") await completed(transaction);
    return result;
  }
}
