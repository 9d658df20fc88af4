/** Questions of servers to clients in the form of either era, and the capabilities that they take. Pure. Tested in bridge-parts.test.ts. */
import { isRecord } from '../../../../kernel/base/is-record.ts'
import { type Members, objectOf, textOf } from '../wire/json-rpc.ts'

/** One question: the method that an older server calls, and that a modern one embeds in its result. */
export interface Question {
  readonly method: string
  readonly params: Members
}

/** Capability of a client by the method that asks it. */
const capabilityOf: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

export const isQuestion = (message: Members): boolean =>
  typeof message.method === 'string' && message.id !== undefined && capabilityOf[message.method] !== undefined

/** The capabilities that questions take, with the names of their parts: an id of a session has room for no more. */
export function questionCapabilities(capabilities: Members): Members {
  const names = new Set(Object.values(capabilityOf))
  return Object.fromEntries(
    Object.entries(capabilities)
      .filter(([name, parts]) => names.has(name) && isRecord(parts))
      .map(([name, parts]) => [name, partsOf(objectOf(parts))]),
  )
}

const mostParts = 8

function partsOf(parts: Members): Members {
  const named = Object.keys(parts).filter((name) => isRecord(parts[name]) && name.length <= 32)
  return Object.fromEntries(named.slice(0, mostParts).map((name) => [name, {}]))
}

/** Whether a client that declares these capabilities takes the question. */
export function takes(capabilities: Members, { method, params }: Question): boolean {
  const needed = capabilityOf[method]
  if (needed === undefined || capabilities[needed] === undefined) return false
  if (needed !== 'elicitation') return true
  const modes = objectOf(capabilities.elicitation)
  // A client that names no mode takes forms: the revision before had nothing else.
  if (params.mode === 'url') return modes.url !== undefined
  return modes.form !== undefined || modes.url === undefined
}

export interface InputRequired {
  readonly questions: ReadonlyMap<string, Question>
  /** To be given back as it is; null where the server keeps no state. */
  readonly state: string | null
}

/** The most questions of one round. */
const mostQuestions = 16

/** The questions of a modern result; null for a result without any. */
export function inputRequired(answer: Members): InputRequired | null {
  const result = objectOf(answer.result)
  if (result.resultType !== 'input_required') return null
  const entries = Object.entries(objectOf(result.inputRequests)).slice(0, mostQuestions)
  return {
    questions: new Map(
      entries.map(([key, asked]) => {
        const { method, params } = objectOf(asked)
        return [key, { method: textOf(method) ?? '', params: objectOf(params) }]
      }),
    ),
    state: textOf(result.requestState),
  }
}

/** An older client names a question with a URL by an id, which modern servers do not send. */
export function toLegacyQuestion({ method, params }: Question, elicitationId: string): Question {
  if (method !== 'elicitation/create' || params.mode !== 'url') return { method, params }
  return { method, params: { ...params, elicitationId } }
}

export function toModernQuestion(message: Members): Question {
  const { elicitationId: _id, _meta: _own, ...params } = objectOf(message.params)
  return { method: textOf(message.method) ?? '', params }
}

/** Result of a modern request that needs the client's input; the client repeats it with the answer and the state. */
export const asksBack = (id: Members['id'], { questions, state }: InputRequired): Members => ({
  ...{ jsonrpc: '2.0', id },
  result: {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(questions),
    ...(state === null ? {} : { requestState: state }),
  },
})
