/**
 * The texts of an answer, each through the same filters: known leaks and exfiltration, personal data and secrets, rules
 * of the policy itself. Promises that the released text does not depend on how an answer is split. Tested in
 * 12-output-inspection.test.ts and policy-output.test.ts.
 */

import { createVault, type Finding, normalize, type Vault } from '@parapet/detect'
import type { WithAnswer } from '../../call/call-answer.ts'
import { jsonPiece } from '../../call/texts/json-piece.ts'
import { type MakePiece, type TextPiece, wholeOf } from '../../call/texts/text-piece.ts'
import type { Writes } from '../../call/writes.ts'
import { createRuleStream, type MatchAction, type RuleMatch } from '../../detection/rule-stream.ts'
import { everyMatch, matchesIn } from '../../detection/tenant-patterns.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import type { OutputHit } from '../../findings/output-hit.ts'
import { noticeOf } from '../../inspection/denied-texts.ts'
import { customIn, hiddenCustom } from '../../inspection/sensitive-texts.ts'
import { wasSentInClear } from '../../inspection/sent-in-clear.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { TextRule } from '../../policy/compile.ts'
import { createLeakFilters } from './12-output-leaks.ts'
import type { Place, Recorder, Stop, StoppingPiece } from './12-output-pieces.ts'
import { enforcedAction, isMonitored, openly, recordHit } from './12-output-record.ts'
import { flagFilter, sensitiveFilter } from './12-output-sensitive.ts'
import { standInFilter } from './12-output-stand-ins.ts'

export function textInspection(
  state: WithPlan & WithFindings & WithAnswer & Writes<WithFindings>,
  stop: Stop,
): MakePiece {
  // One vault for the placeholders of the answer: equal values stay equal across choices, and none is ever restored.
  const vault = createVault()
  const leaks = createLeakFilters(state)
  return ({ location, json, tool = false, after }) => {
    if (tool && state.plan.policy.effective.output.tool_call_arguments === 'skip') return untouched
    const filters = (record: Recorder): readonly StoppingPiece[] => [
      ...openly(state, () => standInFilter(state)),
      ...openly(state, () => leaks({ location, tool, record })),
      ...openly(state, () => sensitiveFilter(state, vault, { location, record })),
      ...openly(state, () => ruleFilter(state, vault, { location, record })),
      ...openly(state, () => flagFilter(state, { location, record, told: after?.length ?? 0 })),
    ]
    const read = json ? jsonPiece : (piece: TextPiece): TextPiece => piece
    const chain = (record: Recorder): TextPiece => untilFirstBlock(filters, { state, stop, record })
    if (after === undefined) return read(chain((hit) => recordHit(state, hit)))
    // Content before the text comes first, and its findings were reported with it.
    let begun = false
    const piece = chain((hit) => (begun ? recordHit(state, hit) : undefined))
    const push = (text: string): string => {
      const passed = piece.push(text)
      begun = true
      return passed
    }
    return read({ push, end: () => piece.end() })
  }
}

const untouched: TextPiece = { push: (text) => text, end: () => '' }

/**
 * Of several blocks in one piece of text the first counts and the text after it was never seen. Each filter reports
 * only its own, so a piece with a block is inspected once more, character by character, as if it had arrived that way.
 */
function untilFirstBlock(
  filters: (record: Recorder) => readonly StoppingPiece[],
  {
    state,
    stop,
    record,
  }: { readonly state: WithPlan & WithFindings & WithAnswer; readonly stop: Stop; readonly record: Recorder },
): TextPiece {
  const {
    findings: { untold },
  } = state
  const hits: OutputHit[] = []
  const fresh = (): Chain => chained(filters((hit) => hits.push(hit)))
  const commit = (passed: string): string => {
    for (const hit of hits.splice(0)) record(hit)
    return passed
  }
  const chain = fresh()
  let given = ''
  const again = (text: string): string => {
    const slow = fresh()
    slow.flow(given, 'goes on')
    hits.splice(0)
    let left = ''
    for (const character of text) {
      const { passed, blocked } = slow.flow(character, 'goes on')
      left += passed
      if (blocked) return left
    }
    return left + slow.flow('', 'ends').passed
  }
  const tell = (): void => {
    untold.delete(tell)
    // In monitor mode all of the text has left, including the text that the filters hold.
    if (isMonitored(state)) chain.flow('', 'ends')
    else chain.tell()
    commit('')
  }
  const flow = (text: string, how: Coming): string => {
    const { passed, blocked } = chain.flow(text, how)
    stop.stopped ||= blocked
    if (how === 'goes on' && !blocked) untold.add(tell)
    else untold.delete(tell)
    if (!blocked || text.length < 2) {
      given += text
      return commit(passed)
    }
    hits.splice(0)
    return commit(again(text))
  }
  return {
    push: (text) => flow(text, 'goes on'),
    end: () => flow('', 'ends'),
    whole: (text) => flow(text, 'is whole'),
  }
}

/** Position of a piece in its text. */
type Coming = 'goes on' | 'ends' | 'is whole'

interface Chain {
  flow(text: string, how: Coming): { readonly passed: string; readonly blocked: boolean }
  /** Reports findings in released text that were not reported yet. */
  tell(): void
}

/**
 * The output of one filter is the input of the next; after a block the others release the text they hold, and no more.
 */
function chained(filters: readonly StoppingPiece[]): Chain {
  return {
    flow: (text, how) => {
      let passed = text
      let blocked = false
      for (const filter of filters) {
        passed = how === 'is whole' ? wholeOf(filter, passed) : filter.push(passed)
        if (how === 'ends' || (how === 'goes on' && blocked)) passed += filter.end()
        blocked ||= filter.blocked()
      }
      return { passed, blocked }
    },
    tell: () => {
      for (const filter of filters) if (filter.looksOn) filter.end()
    },
  }
}

type Named = { readonly kind: 'rule'; readonly rule: TextRule } | { readonly kind: 'entity'; readonly finding: Finding }

/** Terms and patterns of the policy for answers, and its own entities. */
function ruleFilter(state: WithPlan & WithAnswer, vault: Vault, place: Place): readonly StoppingPiece[] {
  const { output, streaming, sensitive_data: data } = state.plan.policy.effective
  const rules = state.plan.policy.rules.filter(({ on }) => on.includes('output'))
  const custom = output.sensitive_data === 'allow' ? [] : hiddenCustom(data)
  if (rules.length + custom.length === 0) return []
  const find = (piece: string): readonly RuleMatch<Named>[] => {
    const views = { original: piece, normalized: normalize(piece) }
    return [
      ...rules.flatMap((rule) =>
        rule
          .find(views, rule.action === 'redact' ? everyMatch : matchesIn)
          .map((span) => ({ ...span, rule: { kind: 'rule', rule } as const })),
      ),
      ...customIn(piece, custom, data).map((finding) => ({
        start: finding.start,
        end: finding.end,
        rule: { kind: 'entity', finding } as const,
      })),
    ]
  }
  const act = ({ rule: named }: RuleMatch<Named>, value: string): MatchAction =>
    named.kind === 'rule'
      ? actOnRule(state, named.rule, place)
      : actOnEntity(state, {
          ...place,
          finding: named.finding,
          value,
          hide: (type) => vault.outPlaceholderFor(type, value),
        })
  const window = Math.max(streaming.window_chars, ...rules.map(({ reach }) => reach))
  return [createRuleStream<Named>({ window, find, act })]
}

function actOnRule(state: WithPlan & WithAnswer, rule: TextRule, { location, record }: Place): MatchAction {
  record({ rule: rule.id, category: 'content', action: rule.action, location })
  const done = enforcedAction(state, rule.action)
  if (done === 'redact') return { kind: 'replace', text: noticeOf(rule) }
  return { kind: done === 'block' ? 'block' : 'pass' }
}

interface FoundEntity extends Place {
  readonly finding: Finding
  readonly value: string
  readonly hide: (type: string) => string
}

function actOnEntity(
  state: WithPlan & WithAnswer,
  { finding, value, location, record, hide }: FoundEntity,
): MatchAction {
  const { type } = finding
  const action = state.plan.policy.effective.output.sensitive_data
  const inClear = wasSentInClear(state, finding, value)
  record({ rule: type, category: 'personal_data', action, location, entity: type, inClear })
  const done = enforcedAction(state, action)
  if (done === 'redact') return { kind: 'replace', text: hide(type) }
  return { kind: done === 'block' ? 'block' : 'pass' }
}
