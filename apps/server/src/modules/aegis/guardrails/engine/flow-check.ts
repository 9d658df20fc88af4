/** Checks of the session's history: labels that flow, and sequences of tools. Pure. Tested in checks.test.ts. */
import { matchesWildcard } from '../../agents/wildcard.ts'
import type { CheckOf } from '../declared/checks-schema.ts'
import { type FlowTemplate, trustLevels } from '../declared/words.ts'
import type { EvaluationContext } from './context.ts'
import { GuardrailRefusal } from './refusal.ts'

type Condition = (context: EvaluationContext) => boolean

const hasLabel = (labels: readonly string[], wanted: string): boolean =>
  labels.some((label) => matchesWildcard(wanted, label))

const sessionHas =
  (...wanted: readonly string[]): Condition =>
  ({ session }) =>
    wanted.some((label) => hasLabel(session?.labels ?? [], label))

const toolHas =
  (...wanted: readonly string[]): Condition =>
  ({ tool }) =>
    wanted.some((label) => hasLabel(tool?.labels ?? [], label))

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
  server === null || !hasLabel(session?.labels ?? [], `src:${server.slug}/*`)

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
  return ({ server, tool, history }) =>
    tool !== null &&
    matchesWildcard(next, `${server?.slug ?? 'local'}/${tool.name}`) &&
    history.slice(-steps).some((step) => matchesWildcard(first, `${step.server}/${step.tool}`))
}
