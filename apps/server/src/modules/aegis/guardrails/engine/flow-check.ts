/** Checks of the session's history: labels that flow, and sequences of tools. Pure. Tested in checks.test.ts. */
import { compileWildcard, type NameTest } from '../../agents/wildcard.ts'
import type { CheckOf } from '../declared/checks-schema.ts'
import { type FlowTemplate, trustLevels } from '../declared/words.ts'
import type { EvaluationContext } from './context.ts'
import { GuardrailRefusal } from './refusal.ts'

type Condition = (context: EvaluationContext) => boolean

const hasOne = (labels: readonly string[] | undefined, wanted: readonly NameTest[]): boolean =>
  labels?.some((label) => wanted.some((isWanted) => isWanted(label))) ?? false

function sessionHas(...wanted: readonly string[]): Condition {
  const tests = wanted.map(compileWildcard)
  return ({ session }) => hasOne(session?.labels, tests)
}

function toolHas(...wanted: readonly string[]): Condition {
  const tests = wanted.map(compileWildcard)
  return ({ tool }) => hasOne(tool?.labels, tests)
}

/** A server that is not known is trusted least. */
const trustBelow =
  (level: (typeof trustLevels)[number]): Condition =>
  ({ server }) =>
    trustLevels.indexOf(server?.trust ?? 'untrusted') < trustLevels.indexOf(level)

const both =
  (...conditions: readonly Condition[]): Condition =>
  (context) =>
    conditions.every((holds) => holds(context))

/** A secret may go back to the server that it came from. */
const fromElsewhere: Condition = ({ session, server }) =>
  server === null || !(session?.labels.some((label) => label.startsWith(`src:${server.slug}/`)) ?? false)

const templates: Readonly<Record<FlowTemplate, Condition>> = {
  lethal_trifecta: both(sessionHas('untrusted'), sessionHas('private:*'), toolHas('external_send')),
  untrusted_to_action: both(sessionHas('untrusted'), toolHas('code_exec', 'payment')),
  restricted_to_unverified: both(sessionHas('private:restricted'), trustBelow('verified')),
  secret_leaves_origin: both(sessionHas('secret'), fromElsewhere),
}

/** @throws GuardrailRefusal for a check without a condition */
export function compileFlow(check: CheckOf<'flow'>, pointer: string): Condition {
  const { template, labels_all: all = [], labels_any: some = [], labels_none: none = [] } = check
  const { tool_labels_any: ofTool = [], server_trust_below: below } = check
  const conditions = [
    ...(template === undefined ? [] : [templates[template]]),
    ...all.map((label) => sessionHas(label)),
    ...(some.length === 0 ? [] : [sessionHas(...some)]),
    ...none.map(
      (label): Condition =>
        (context) =>
          !sessionHas(label)(context),
    ),
    ...(ofTool.length === 0 ? [] : [toolHas(...ofTool)]),
    ...(below === undefined ? [] : [trustBelow(below)]),
  ]
  if (conditions.length === 0)
    throw new GuardrailRefusal('form', pointer, 'A flow check needs a template or a condition on labels or trust.')
  return both(...conditions)
}

/** Whether this call is the second of two: the first is among the last calls of the session. */
export function compileSequence({ first, next, within_steps: steps }: CheckOf<'sequence'>): Condition {
  const [isFirst, isNext] = [compileWildcard(first), compileWildcard(next)]
  return ({ server, tool, history }) => {
    if (tool === null || !isNext(`${server?.slug ?? 'local'}/${tool.name}`)) return false
    for (let at = Math.max(0, history.length - steps); at < history.length; at += 1) {
      const step = history[at]
      if (step !== undefined && isFirst(`${step.server}/${step.tool}`)) return true
    }
    return false
  }
}
