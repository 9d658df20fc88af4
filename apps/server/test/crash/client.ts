/**
 * One client of the crash suite: makes service accounts, changes them, gives them API keys, revokes keys and talks to
 * the demo model, one call after the other. Promises to remember every answer it got, and to repeat a call it got no
 * answer to, as a careful client would; it never guesses. Tested by the findings of crash.test.ts.
 */
import { call, type HttpAnswer, type HttpCall } from '../support/http.ts'
import type { Chance } from './random.ts'

export interface Account {
  readonly tenantId: string
  readonly token: string
  /** A role its service accounts get. */
  readonly roleId: string
}

export type Action = 'user' | 'change' | 'api_key' | 'revocation' | 'chat'

/** A call, as it is repeated until it is answered. */
export interface Intent {
  readonly action: Action
  readonly path: string
  readonly what: HttpCall
  readonly status: number
}

/** An answered call: facts that the server must still know, whatever happened to it since. */
export interface Acknowledged extends Intent {
  readonly client: number
  readonly tenantId: string
  readonly requestId: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely.
  readonly data: any
}

interface User {
  readonly id: string
  name: string
}

export interface ClientParts {
  readonly number: number
  readonly account: Account
  readonly chance: Chance
  readonly withChat: boolean
  /** Told of each answer, in this client's order. */
  readonly acknowledged: (entry: Acknowledged) => void
}

/** A life: works through many lives of the server. */
export class CrashClient {
  readonly users: User[] = []
  readonly keys: string[] = []
  readonly revoked = new Set<string>()
  /** Calls without an answer that were answered at the second try. */
  repeated = 0
  /** Of these, those whose first try had taken effect. */
  replayed = 0
  #open: Intent | null = null
  #made = 0
  readonly #parts: ClientParts

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  /** Calls until the connection fails. @throws Error when an answer is not the expected one */
  async workUntilCut(address: string): Promise<void> {
    while (await this.step(address)) {
      // Each step is a whole call.
    }
  }

  /** Repeats what was not answered. */
  async settle(address: string): Promise<void> {
    if (this.#open !== null && !(await this.step(address)))
      throw new Error('The server went away while nobody killed it')
  }

  async step(address: string): Promise<boolean> {
    const again = this.#open !== null
    const intent = this.#open ?? this.#next()
    this.#open = intent
    const answer = await this.#send(address, intent)
    if (answer === null) {
      // A model call is not repeated: it holds its key until it is known to be dead.
      if (intent.action === 'chat') this.#open = null
      return false
    }
    if (answer.status !== intent.status) {
      throw new Error(
        `${intent.action} ${intent.path}: expected ${intent.status}, got ${answer.status}: ${answer.text}`,
      )
    }
    if (again) this.repeated += 1
    if (again && answer.replayed) this.replayed += 1
    this.#open = null
    this.#learn(intent, answer)
    return true
  }

  /** Null when there is no answer: it may have happened or not. */
  async #send(address: string, { path, what }: Intent): Promise<HttpAnswer | null> {
    try {
      return await call(address, path, { ...what, token: this.#parts.account.token })
    } catch (error) {
      if (error instanceof TypeError) return null
      throw error
    }
  }

  #learn(intent: Intent, { data, requestId }: HttpAnswer): void {
    const { number: client, account, acknowledged } = this.#parts
    if (intent.action === 'user') this.users.push({ id: data.id, name: data.display_name })
    if (intent.action === 'api_key') this.keys.push(data.id)
    if (intent.action === 'revocation') this.revoked.add(data.id)
    if (intent.action === 'change') {
      const user = this.users.find(({ id }) => id === data.id)
      if (user !== undefined) user.name = data.display_name
    }
    acknowledged({ ...intent, client, tenantId: account.tenantId, requestId, data })
  }

  #next(): Intent {
    const { chance, withChat } = this.#parts
    const roll = chance.below(withChat ? 14 : 10)
    const user = chance.pick(this.users)
    const key = chance.pick(this.keys.filter((id) => !this.revoked.has(id)))
    if (roll >= 10) return this.#chat()
    if (roll >= 9 && key !== undefined) return this.#revocation(key)
    if (roll >= 7 && user !== undefined) return this.#change(user)
    if (roll >= 3 && user !== undefined) return this.#apiKey(user)
    return this.#user()
  }

  #name(): string {
    this.#made += 1
    return `client ${this.#parts.number} thing ${this.#made}`
  }

  #post(action: Action, path: string, body: unknown): Intent {
    const key = `crash-${this.#parts.number}-${this.#made}`
    return { action, path, status: 201, what: { method: 'POST', body, headers: { 'idempotency-key': key } } }
  }

  #user(): Intent {
    const display_name = this.#name()
    return this.#post('user', '/iam/users', { type: 'service', role_ids: [this.#parts.account.roleId], display_name })
  }

  #apiKey(user: User): Intent {
    return this.#post('api_key', '/iam/api-keys', { name: this.#name(), owner_id: user.id, scopes: ['gateway:read'] })
  }

  #change(user: User): Intent {
    const body = { display_name: this.#name() }
    return { action: 'change', path: `/iam/users/${user.id}`, status: 200, what: { method: 'PATCH', body } }
  }

  #revocation(id: string): Intent {
    return { action: 'revocation', path: `/iam/api-keys/${id}`, status: 200, what: { method: 'DELETE' } }
  }

  #chat(): Intent {
    const body = { model: 'echo-1', messages: [{ role: 'user', content: this.#name() }] }
    return { action: 'chat', path: '/gateway/chat/completions', status: 200, what: { method: 'POST', body } }
  }
}
