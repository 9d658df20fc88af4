/** The report of a dry run, item by item. Pure. Tested in evaluation.test.ts. */
import type { CombinedDecision } from '../declared/words.ts'
import { combinedDecisions } from '../declared/words.ts'
import type { Evaluation } from '../engine/evaluate.ts'
import type { Item } from './item.ts'
import type { EvaluationReport } from './schema.ts'

export interface Judged {
  readonly item: Item
  readonly evaluation: Evaluation
  /** Guardrails whose target is about the item. */
  readonly evaluated: number
  readonly failed: boolean
  readonly undecided: boolean
  /** The running version matches the item. */
  readonly running: boolean
}

export interface Tally {
  add(judged: Judged): void
  report(): Omit<EvaluationReport, 'source' | 'status' | 'next_cursor'>
}

const mostExamples = 50
const mostAffected = 20

export function createTally(): Tally {
  const counts = { items: 0, evaluated: 0, matched: 0, undecided: 0, errors: 0 }
  const confusion = { true_positive: 0, false_positive: 0, false_negative: 0, true_negative: 0, unlabeled: 0 }
  const diff = { only_draft: 0, only_running: 0, both: 0, neither: 0 }
  const decisions = Object.fromEntries(combinedDecisions.map((name) => [name, 0])) as Record<CombinedDecision, number>
  const [agents, tools] = [createAffected(), createAffected()]
  const examples: EvaluationReport['examples'] = []
  return {
    add: (judged) => {
      const { item, evaluation, running } = judged
      const isMatch = evaluation.hits.some(({ failed }) => !failed)
      counts.items += 1
      counts.evaluated += judged.evaluated > 0 ? 1 : 0
      counts.matched += isMatch ? 1 : 0
      counts.undecided += judged.undecided ? 1 : 0
      counts.errors += judged.failed ? 1 : 0
      decisions[evaluation.decision] += 1
      confusion[cellOf(item.isAttack, isMatch)] += 1
      diff[isMatch ? (running ? 'both' : 'only_draft') : running ? 'only_running' : 'neither'] += 1
      const { agent, server, tool } = item.context
      if (agent !== null) agents.add(agent.id, isMatch)
      if (tool !== null) tools.add(`${server?.slug ?? 'local'}/${tool.name}`, isMatch)
      if (isMatch && examples.length < mostExamples) examples.push(exampleOf(judged))
    },
    report: () => ({
      ...{ counts, decisions, confusion, diff },
      ...{ agents: agents.most(mostAffected), tools: tools.most(mostAffected), examples },
    }),
  }
}

type Cell = keyof EvaluationReport['confusion']

function cellOf(isAttack: boolean | null, isMatch: boolean): Cell {
  if (isAttack === null) return 'unlabeled'
  if (isAttack) return isMatch ? 'true_positive' : 'false_negative'
  return isMatch ? 'false_positive' : 'true_negative'
}

function exampleOf({ item, evaluation, running }: Judged): EvaluationReport['examples'][number] {
  const { agent, session, server, tool } = item.context
  return {
    ...{ id: item.id, agent_id: agent?.id ?? null, session: session?.id ?? null },
    ...{ server: server?.slug ?? null, tool: tool?.name ?? null, decision: evaluation.decision },
    ...{ matched: [...new Set(evaluation.hits.map(({ name }) => name))], running },
  }
}

function createAffected() {
  const known = new Map<string, { matched: number; items: number }>()
  return {
    add: (name: string, isMatch: boolean): void => {
      const seen = known.get(name) ?? { matched: 0, items: 0 }
      known.set(name, { matched: seen.matched + (isMatch ? 1 : 0), items: seen.items + 1 })
    },
    most: (limit: number) =>
      [...known]
        .map(([name, seen]) => ({ name, ...seen }))
        .filter(({ matched }) => matched > 0)
        .toSorted((a, b) => b.matched - a.matched || (a.name < b.name ? -1 : 1))
        .slice(0, limit),
  }
}
