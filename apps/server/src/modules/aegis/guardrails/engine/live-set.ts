/** The guardrails of a tenant that are in force, compiled. Tested in evaluate.test.ts. */
import type { Definition } from '../declared/schema.ts'
import type { GuardrailKind } from '../declared/words.ts'
import { type Compiled, compileGuardrail, stageOf } from './compile.ts'

/** One version of a guardrail that runs. */
export interface LiveGuardrail {
  readonly id: string
  readonly name: string
  readonly kind: GuardrailKind
  readonly version: number
  readonly definition: Definition
  readonly mode: 'monitor' | 'enforce'
  /** Share of sessions in which it is enforced, 0 to 100. */
  readonly percent: number
  /** It runs in the sessions outside of the share alone: the version before, while the next one grows. */
  readonly isBase: boolean
}

export type Running = LiveGuardrail & Compiled

export interface LiveSet {
  readonly input: readonly Running[]
  readonly output: readonly Running[]
  readonly tool: readonly Running[]
}

/** Compiles once for each definition, which never changes. @throws GuardrailRefusal */
export type Compiler = (live: LiveGuardrail) => Compiled

export const emptySet: LiveSet = { input: [], output: [], tool: [] }

export function liveSet(all: readonly LiveGuardrail[], compile: Compiler = compileOne): LiveSet {
  const running = all.map((live) => ({ ...live, ...compile(live) }))
  const at = (stage: keyof LiveSet): readonly Running[] => running.filter(({ kind }) => stageOf(kind) === stage)
  return { input: at('input'), output: at('output'), tool: at('tool') }
}

const compileOne: Compiler = ({ kind, definition }) => compileGuardrail(kind, definition)
