import type { StepName } from '../pipeline/progress/step-names.ts'
import type { Violation } from '../schemas/chat-schema.ts'
import type { Explanation } from '../schemas/explanation.ts'
import type { Opinion } from '../schemas/opinion.ts'
import type { HitLog } from './output-hit.ts'
import type { Remark } from './remark.ts'

/** Findings of rules in a call and its answer. Only functions of this folder add to the lists. */
export interface CallFindings {
  /** The rows that are shown, a subset of the findings. Decisions must use `found`. */
  readonly violations: Violation[]
  /** All findings, by kind. */
  readonly found: Map<string, Found>
  readonly patterns: Set<string>
  readonly entities: Map<string, number>
  readonly injectionScore: number
  /** Results of outside classifiers. */
  readonly opinions: readonly Opinion[]
  /** Why texts were flagged or blocked; for the log only. */
  readonly explanation: Explanation | null
  readonly piiDetected: boolean
  readonly redacted: boolean
  /** The first block that was let through because of monitor mode. */
  readonly monitored: { readonly n: number; readonly name: string; readonly code: string } | null
  /** The answer could not be inspected, and its policy requires inspection. */
  readonly withheldUnseen: boolean
  /** Origin of the text that led to a block. */
  readonly blockedAt: string | null
  /** Steps that failed and were skipped because the policy allows it. */
  readonly failOpen: string[]
  /** Findings in the answer, each kind in each place once. */
  readonly remarks: Map<string, Remark>
  /** Number of placeholders restored although the model had written them in another form. */
  readonly restoredChanged: number
  /** Incomplete texts of the answer: each callback reports the findings in the part already sent. */
  readonly untold: Set<() => void>
  /** Hits in the answer, if they are to be reported from another thread; null otherwise. */
  readonly hits: HitLog | null
}

export interface WithFindings {
  readonly findings: CallFindings
}

export function noFindings(): CallFindings {
  return {
    violations: [],
    found: new Map(),
    patterns: new Set(),
    entities: new Map(),
    injectionScore: 0,
    opinions: [],
    explanation: null,
    piiDetected: false,
    redacted: false,
    monitored: null,
    withheldUnseen: false,
    blockedAt: null,
    failOpen: [],
    remarks: new Map(),
    restoredChanged: 0,
    untold: new Set(),
    hits: null,
  }
}

/** One kind of finding: the result of a rule in a step. There are at most as many as the policy has rules. */
export interface Found {
  readonly rule: string
  readonly step: StepName
  readonly category: string
  readonly action: Violation['action']
  /** Number of notes, shown or not. */
  readonly notes: number
  /** Total places in these notes. */
  readonly count: number
}
