/**
 * A small pool: connections are opened when needed, lent to one transaction at a time and handed to whoever has waited
 * longest. A connection comes back only outside a transaction; anything else is thrown away rather than lent again,
 * because a role or tenant left on it would be somebody else's. Tested in pool.test.ts and by the contract suite.
 */
import { DatabaseUnavailable } from '../errors.ts'
import type { Driver, Session } from '../port.ts'
import type { Connection } from './connection.ts'

export interface PoolOptions {
  readonly max: number
  /** Milliseconds somebody waits for a free connection. */
  readonly acquireTimeoutMs: number
  readonly open: (onEnd: () => void) => Promise<Connection>
  /** Cancels what runs on a connection; resolves when the request was delivered or given up. */
  readonly cancel: (connection: Connection) => Promise<void>
}

/** A session that can also run a script; for drivers with one connection only. */
export interface PooledSession extends Session {
  script(text: string): Promise<void>
}

interface Waiter {
  readonly resolve: (session: PooledSession) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** A life: opened at start, closed at the end. */
export class Pool {
  readonly #options: PoolOptions
  readonly #idle: Connection[] = []
  readonly #waiters: Waiter[] = []
  readonly #all = new Set<Connection>()
  #opening = 0
  #closed = false
  #drained: (() => void) | null = null

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** @throws DatabaseUnavailable after the timeout, when the server refuses, or when the pool is closed */
  acquire(): Promise<PooledSession> {
    if (this.#closed) return Promise.reject(new DatabaseUnavailable('The database is closed'))
    const connection = this.#idle.pop()
    if (connection !== undefined) return Promise.resolve(this.#lend(connection))
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        resolve,
        reject,
        timer: setTimeout(() => this.#giveUp(waiter), this.#options.acquireTimeoutMs),
      }
      this.#waiters.push(waiter)
      this.#grow()
    })
  }

  stats(): ReturnType<Driver['stats']> {
    return { total: this.#all.size, idle: this.#idle.length, waiting: this.#waiters.length }
  }

  /** Refuses new work, lets lent connections come back, then ends all. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const waiter of this.#waiters.splice(0))
      this.#refuse(waiter, new DatabaseUnavailable('The database is closed'))
    if (this.#all.size > this.#idle.length || this.#opening > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve
      })
    }
    await Promise.all([...this.#all].map((connection) => connection.close()))
  }

  #grow(): void {
    const { max, open } = this.#options
    if (this.#closed || this.#all.size + this.#opening >= max || this.#opening >= this.#waiters.length) return
    this.#opening += 1
    let opened: Connection | null = null
    open(() => opened !== null && this.#forget(opened)).then(
      (connection) => {
        opened = connection
        this.#opening -= 1
        this.#all.add(connection)
        this.#handOn(connection)
      },
      (error: unknown) => {
        this.#opening -= 1
        const waiter = this.#waiters.shift()
        if (waiter !== undefined) this.#refuse(waiter, error)
        this.#settle()
      },
    )
  }

  #lend(connection: Connection): PooledSession {
    let canceling: Promise<void> | null = null
    let released = false
    return {
      run: (statements) => {
        if (released) return Promise.reject(new Error('The session was given back'))
        return connection.run(statements)
      },
      script: (text) => connection.script(text),
      cancel: () => {
        if (!released) canceling ??= this.#options.cancel(connection)
      },
      release: (broken) => {
        if (released) return
        released = true
        // A late cancel request would hit the next transaction on this connection.
        if (canceling === null) this.#takeBack(connection, broken ?? false)
        else void canceling.finally(() => this.#takeBack(connection, true))
      },
    }
  }

  #takeBack(connection: Connection, broken: boolean): void {
    if (broken || !connection.alive() || !connection.idle()) {
      connection.destroy()
      this.#forget(connection)
    } else {
      this.#handOn(connection)
    }
  }

  #handOn(connection: Connection): void {
    const waiter = this.#waiters.shift()
    if (waiter === undefined) {
      this.#idle.push(connection)
      this.#settle()
      return
    }
    clearTimeout(waiter.timer)
    waiter.resolve(this.#lend(connection))
  }

  #forget(connection: Connection): void {
    if (!this.#all.delete(connection)) return
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    this.#settle()
  }

  #settle(): void {
    this.#grow()
    if (this.#closed && this.#opening === 0 && this.#all.size === this.#idle.length) this.#drained?.()
  }

  #giveUp(waiter: Waiter): void {
    const index = this.#waiters.indexOf(waiter)
    if (index >= 0) this.#waiters.splice(index, 1)
    const { max, acquireTimeoutMs } = this.#options
    this.#refuse(waiter, new DatabaseUnavailable(`All ${max} connections were busy for ${acquireTimeoutMs} ms`))
  }

  #refuse(waiter: Waiter, error: unknown): void {
    clearTimeout(waiter.timer)
    waiter.reject(error)
  }
}
