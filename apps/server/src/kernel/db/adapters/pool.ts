/**
 * A small pool: connections are opened when needed and lent to one transaction at a time. Tenants take turns, and one
 * tenant never holds the last fifth of them, so that other tenants need not wait behind all its requests. A connection
 * comes back only outside a transaction; anything else is thrown away rather than lent again, because a role or tenant
 * left on it would be another tenant's. Tested in pool.test.ts and by the contract suite.
 */
import { DatabaseUnavailable } from '../errors.ts'
import type { Driver, Session } from '../port.ts'
import type { Connection } from './connection.ts'
import { Turns } from './turns.ts'

export interface PoolOptions {
  readonly max: number
  /** Milliseconds a caller waits for a free connection. */
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
  readonly group: string
  readonly resolve: (session: PooledSession) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** A life: opened at start, closed at the end. */
export class Pool {
  readonly #options: PoolOptions
  readonly #idle: Connection[] = []
  readonly #waiters = new Turns<Waiter>()
  /** Connections lent, by group. */
  readonly #held = new Map<string, number>()
  readonly #all = new Set<Connection>()
  #opening = 0
  #closed = false
  #drained: (() => void) | null = null

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /**
   * @param group a tenant, or the reason of the kernel's work; appends of records have none and no share
   * @throws DatabaseUnavailable after the timeout, when the server refuses, or when the pool is closed
   */
  acquire(group = ''): Promise<PooledSession> {
    if (this.#closed) return Promise.reject(new DatabaseUnavailable('The database is closed'))
    const connection = this.#mayHold(group) ? this.#idle.pop() : undefined
    if (connection !== undefined) return Promise.resolve(this.#lend(connection, group))
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        group,
        resolve,
        reject,
        timer: setTimeout(() => this.#giveUp(waiter), this.#options.acquireTimeoutMs),
      }
      this.#waiters.add(group, waiter)
      this.#grow()
    })
  }

  stats(): ReturnType<Driver['stats']> {
    return { total: this.#all.size, idle: this.#idle.length, waiting: this.#waiters.size }
  }

  /** Refuses new work, lets lent connections come back, then ends all. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const waiter of this.#waiters.takeAll())
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
    if (this.#closed || this.#all.size + this.#opening >= max || this.#opening >= this.#waiters.size) return
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
        const waiter = this.#waiters.next()
        if (waiter !== undefined) this.#refuse(waiter, error)
        this.#settle()
      },
    )
  }

  /** A fifth stays for others, where there are enough to share. */
  #mayHold(group: string): boolean {
    const { max } = this.#options
    const share = max < 4 ? max : max - Math.ceil(max / 5)
    return group === '' || (this.#held.get(group) ?? 0) < share
  }

  #count(group: string, by: 1 | -1): void {
    const held = (this.#held.get(group) ?? 0) + by
    if (held === 0) this.#held.delete(group)
    else this.#held.set(group, held)
  }

  #lend(connection: Connection, group: string): PooledSession {
    this.#count(group, 1)
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
        this.#count(group, -1)
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
    this.#idle.push(connection)
    this.#settle()
  }

  /** Idle connections go to those who wait and may have one. */
  #serve(): void {
    while (this.#idle.length > 0) {
      const waiter = this.#waiters.next((group) => this.#mayHold(group))
      const connection = waiter === undefined ? undefined : this.#idle.pop()
      if (waiter === undefined || connection === undefined) return
      clearTimeout(waiter.timer)
      waiter.resolve(this.#lend(connection, waiter.group))
    }
  }

  #forget(connection: Connection): void {
    if (!this.#all.delete(connection)) return
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    this.#settle()
  }

  #settle(): void {
    this.#serve()
    this.#grow()
    if (this.#closed && this.#opening === 0 && this.#all.size === this.#idle.length) this.#drained?.()
  }

  #giveUp(waiter: Waiter): void {
    this.#waiters.remove(waiter.group, waiter)
    const { max, acquireTimeoutMs } = this.#options
    this.#refuse(waiter, new DatabaseUnavailable(`All ${max} connections were busy for ${acquireTimeoutMs} ms`))
  }

  #refuse(waiter: Waiter, error: unknown): void {
    clearTimeout(waiter.timer)
    waiter.reject(error)
  }
}
