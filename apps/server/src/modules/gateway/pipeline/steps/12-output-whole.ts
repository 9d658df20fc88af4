/**
 * Checks that need a complete answer or tool call. Holds nothing back, so findings at the end of a stream are noted;
 * only a buffered answer can be refused. Tested in 12-output-inspection.test.ts and policy-output.test.ts.
 */

import type { AnswerEvent } from '../../call/call.ts'
import type { WithAnswer } from '../../call/call-answer.ts'
import type { EventFilter } from '../../call/texts/event-filter.ts'
import type { Writes } from '../../call/writes.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { ConditionCheck } from '../../policy/conditions.ts'
import type { Action } from '../../policy/document.ts'
import { fitsSchema, readJson } from '../../policy/json-shape.ts'
import { isAllowed } from '../../words/globs.ts'
import type { Stop } from './12-output-pieces.ts'
import { enforcedAction, recordHit } from './12-output-record.ts'

interface Choice {
  text: string
  calls: number
  /** The name of the tool that is being called, and its arguments so far. */
  tool: { readonly name: string; readonly at: string; arguments: string } | null
}

interface Whole {
  readonly state: WithPlan & WithFindings & WithAnswer & Writes<WithFindings>
  readonly stop: Stop
  /** Asked when the answer is complete. */
  readonly conditions: () => readonly ConditionCheck[]
}

export function wholeChecks(whole: Whole): EventFilter {
  const choices = new Map<number, Choice>()
  const choiceOf = (index: number): Choice => {
    const known = choices.get(index) ?? { text: '', calls: 0, tool: null }
    choices.set(index, known)
    return known
  }
  return {
    push: (event) => {
      if (!('choice' in event)) return [event]
      const choice = choiceOf(event.choice)
      const before = whole.stop.stopped
      look(whole, choice, event)
      // Text released by a text's own block still leaves; an event refused here does not.
      return whole.stop.stopped && !before ? [] : [event]
    },
    end: () => [],
  }
}

type ChoiceEvent = Extract<AnswerEvent, { readonly choice: number }>

function look(whole: Whole, choice: Choice, event: ChoiceEvent): void {
  const message = `/choices/${event.choice}/message`
  switch (event.type) {
    case 'text':
      if (event.channel === 'text') choice.text += event.text
      else if (event.channel === 'refusal') noteRefusal(whole, choice, message)
      return
    case 'tool_call':
      endTool(whole, choice)
      choice.tool = { name: event.name, at: `${message}/tool_calls/${event.index}`, arguments: '' }
      beginTool(whole, choice)
      return
    case 'tool_arguments':
      if (choice.tool !== null) choice.tool.arguments += event.text
      return
    case 'finish':
      endTool(whole, choice)
      checkJson(whole, choice, `${message}/content`)
      askConditions(whole)
      return
    default:
      return
  }
}

function noteRefusal({ state }: Whole, choice: Choice, message: string): void {
  if (state.plan.policy.effective.output.refusal === 'allow' || choice.text === refused) return
  choice.text = refused
  recordHit(state, { rule: 'refusal', category: 'output', action: 'flag', location: `${message}/refusal` })
}

/** Stands for the text of a choice that refused: it is said once. */
const refused = '\u0000refused'

function hit(
  { state, stop }: Whole,
  found: { readonly rule: string; readonly action: Action; readonly location: string },
): void {
  if (found.action === 'allow') return
  recordHit(state, { ...found, category: 'output' })
  if (enforcedAction(state, found.action) === 'block') stop.stopped = true
}

/** The caller's policy may deny a tool that the caller offered, and a model may call a tool that was not offered. */
function beginTool(whole: Whole, choice: Choice): void {
  const { state } = whole
  const { tools } = state.plan.policy.effective.content
  choice.calls += 1
  if (choice.tool === null) return
  const { name, at: location } = choice.tool
  if (!isAllowed(tools, name)) hit(whole, { rule: 'tool-not-allowed', action: 'block', location })
  else if (!state.plan.call.tools.some((offered) => offered.name === name || offered.kind === 'opaque'))
    hit(whole, { rule: 'unknown-tool', action: 'flag', location })
  if (choice.calls > tools.max_calls_per_answer) hit(whole, { rule: 'too-many-tool-calls', action: 'block', location })
}

function endTool(whole: Whole, choice: Choice): void {
  const { tool } = choice
  choice.tool = null
  const {
    plan: { call, policy },
  } = whole.state
  if (tool === null || !policy.effective.content.tools.arguments_schema_check) return
  const offered = call.tools.find(({ name }) => name === tool.name)
  if (offered === undefined || offered.kind !== 'function' || offered.parameters === null) return
  if (!fitsSchema(readJson(tool.arguments), offered.parameters))
    hit(whole, { rule: 'tool-arguments', action: 'flag', location: `${tool.at}/function/arguments` })
}

function checkJson(whole: Whole, choice: Choice, location: string): void {
  const { format } = whole.state.plan.call
  const { json_schema: check, on_invalid_json: action } = whole.state.plan.policy.effective.output
  if (check === 'off' || format === null || format.type === 'text' || choice.text === refused) return
  // An answer of tool calls alone has no text to be JSON.
  if (choice.text === '' && choice.calls > 0) return
  const value = readJson(choice.text)
  const fits = format.type === 'json_schema' ? fitsSchema(value, format.schema) : value !== undefined
  if (!fits) hit(whole, { rule: 'invalid-json', action, location })
}

function askConditions(whole: Whole): void {
  for (const { id, action, message } of whole.conditions()) {
    recordHit(whole.state, { rule: id, category: 'content', action, location: '', message })
    if (enforcedAction(whole.state, action) !== 'block') continue
    whole.stop.stopped = true
    whole.stop.message ??= message
  }
}
