/**
 * Facts of a call that checks read, each worked out when the first check asks for it and then kept for the others. Tested in
 * evaluate.test.ts.
 */
import type { Finding } from '@parapet/detect'
import type { SharedVariables } from '../../../../kernel/cel/program.ts'
import { escapePointer } from '../../../../kernel/schema/json-pointer.ts'
import type { EvaluationContext, GuardedText } from './context.ts'
import { type DetectorName, lookFor, type Place, scoreType } from './look.ts'
import { CheckFault } from './refusal.ts'

/** A place in a text, in UTF-16 code units. */
export interface Span {
  readonly location: string
  readonly start: number
  readonly end: number
}

/** Characters that detectors look at in one call; more is refused and not looked at in part. */
const mostText = 262_144
const deepest = 64

export interface Found {
  readonly text: GuardedText
  readonly findings: readonly Finding[]
}

/** Findings of a look that was done before, in the order of the texts. */
export interface KnownFindings {
  readonly findings: ReadonlyMap<DetectorName, readonly (readonly Finding[])[]>
  /** Places by pattern. */
  readonly matches: ReadonlyMap<string, readonly (readonly Place[])[]>
  /** Detection failed: no check that needs findings can be decided. */
  readonly failed?: true
}

export class Facts {
  readonly context: EvaluationContext
  readonly #known: KnownFindings | undefined
  #texts: readonly GuardedText[] | undefined
  readonly #found = new Map<string, readonly Found[]>()
  /** Variables of expressions. */
  readonly variables: SharedVariables
  /** The same, where the result has what detectors find in it. */
  readonly variablesWithDetections: SharedVariables

  constructor(context: EvaluationContext, known?: KnownFindings) {
    this.context = context
    this.#known = known
    this.variables = { read: (name) => readers[name]?.(this), encoded: new Map() }
    this.variablesWithDetections = {
      read: (name) => (name === 'result' ? resultOf(this, typesFound(this)) : readers[name]?.(this)),
      encoded: new Map(),
    }
  }

  /** @throws CheckFault for more text than may be looked at */
  get texts(): readonly GuardedText[] {
    this.#texts ??= textsOf(this.context)
    return this.#texts
  }

  /** Findings of a detector with their texts. @throws CheckFault */
  found(detector: DetectorName): readonly Found[] {
    const held = this.#found.get(detector)
    if (held !== undefined) return held
    this.#refuseFailed()
    const known = this.#known?.findings.get(detector)
    const { stage } = this.context
    const found = this.texts.map((text, n) => ({ text, findings: known?.[n] ?? lookFor(detector, text, stage) }))
    this.#found.set(detector, found)
    return found
  }

  /** Places of the pattern in each text, where they are known; null before the first search. @throws CheckFault */
  knownMatches(source: string): readonly (readonly Place[])[] | null {
    this.#refuseFailed()
    return this.#known?.matches.get(source) ?? null
  }

  #refuseFailed(): void {
    if (this.#known?.failed === true) throw new CheckFault('The texts could not be looked at.')
  }
}

/** Texts that detectors look at. @throws CheckFault for more text than may be looked at */
export const textsOf = ({ texts, args }: EvaluationContext): readonly GuardedText[] =>
  bounded(texts ?? textsOfArguments(args))

function bounded(texts: readonly GuardedText[]): readonly GuardedText[] {
  const size = texts.reduce((sum, { text }) => sum + text.length, 0)
  if (size > mostText) throw new CheckFault(`The call has ${size} characters; detectors look at ${mostText}.`)
  return texts
}

function textsOfArguments(args: unknown): readonly GuardedText[] {
  const texts: GuardedText[] = []
  const walk = (value: unknown, location: string, depth: number): void => {
    if (depth > deepest) throw new CheckFault(`The arguments are nested deeper than ${deepest}.`)
    if (typeof value === 'string') texts.push({ location, text: value })
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) walk(member, `${location}/${escapePointer(name)}`, depth + 1)
  }
  walk(args, '', 0)
  return texts
}

const joined = (facts: Facts): string => facts.texts.map(({ text }) => text).join('\n')

const resultOf = (facts: Facts, detections: readonly string[]) => ({
  text: facts.context.stage === 'output' ? joined(facts) : '',
  structured: facts.context.structured ?? null,
  detections,
})

// Each one literal: an object put together of others is of a new hidden class each time, on the way of every call.
const readers: Readonly<Record<string, (facts: Facts) => unknown>> = {
  agent: ({ context: { agent } }) => ({
    id: agent?.id ?? '',
    tier: agent?.tier ?? 0,
    autonomy: agent?.autonomy ?? 0,
    tags: agent?.tags ?? [],
    env: agent?.env ?? '',
  }),
  user: ({ context: { user } }) => ({ id: user?.id ?? '', department: user?.department ?? '' }),
  server: ({ context: { server } }) => ({
    slug: server?.slug ?? '',
    trust: server?.trust ?? '',
    labels: server?.labels ?? [],
  }),
  tool: ({ context: { tool } }) => ({
    name: tool?.name ?? '',
    labels: tool?.labels ?? [],
    annotations: tool?.annotations ?? {},
    pinned: tool?.pinned ?? false,
  }),
  args: ({ context: { args } }) => args ?? null,
  input: (facts) => ({ text: facts.context.stage === 'input' ? joined(facts) : '' }),
  result: (facts) => resultOf(facts, []),
  session: ({ context: { session, atMs } }) => ({
    id: session?.id ?? '',
    labels: session?.labels ?? [],
    calls: session?.calls ?? 0,
    denied: session?.denied ?? 0,
    started: iso(session?.startedMs ?? atMs),
  }),
  request: ({ context: { request, atMs } }) => ({
    ip: request.ip ?? '',
    model: request.model ?? '',
    tags: request.tags,
    hour: new Date(atMs).getUTCHours(),
  }),
}

const iso = (ms: number): string => new Date(ms).toISOString()

function typesFound(facts: Facts): readonly string[] {
  if (facts.context.stage !== 'output') return []
  const all = (['pii', 'secret', 'injection'] as const).flatMap((detector) =>
    facts
      .found(detector)
      .flatMap(({ findings }) => findings.flatMap(({ type }) => (type === scoreType ? [] : [`${detector}:${type}`]))),
  )
  return [...new Set(all)].toSorted()
}
