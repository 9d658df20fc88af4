/**
 * Measures one question under one configuration: where its relevant documents stand and, where the evaluation asks for it,
 * how the model answers. Tested in evaluations.test.ts.
 */
import type { Permission } from '../../../kernel/access/permissions.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { JobContext } from '../../../kernel/module/module.ts'
import type { Asker } from '../../gateway/api.ts'
import { answerQuestion } from '../answers/answer.ts'
import type { Passage } from '../answers/passage.ts'
import { type Question, retrieve } from '../answers/retrieve.ts'
import type {
  AnswerMeasures,
  Configuration,
  EvaluationRow,
  Item,
  RetrievalMeasures,
} from '../declared/evaluation-schema.ts'
import { minGroundedness } from '../declared/settings.ts'
import { jobAsker } from '../providers/job-asker.ts'
import { contextPrecision, type Gains, ndcg, recall, reciprocalRank, shareOf } from '../retrieval/measures.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { evaluationKind } from './evaluations.ts'
import { type Measured, noMeasures } from './results.ts'

type Context = JobContext<SvcAiServices>

/** Passages for each document that is measured: several may be of one. */
const passagesPerDocument = 4
const mostPassages = 400
/** As many as a question has by default. */
const answerPassages = 8
const windowTokens = 16_000

/** Facts of every module may be in a source. */
const readable: readonly Permission[] = [
  ...(['svc-ai:read', 'iam:read', 'admin:read', 'compliance:read', 'aegis:read', 'gateway:read', 'risk:read'] as const),
  ...(['trust:read', 'resilience:read', 'cybertwins:read', 'platform:read', 'data-gov:read'] as const),
]

export interface Measuring {
  readonly item: Item
  readonly configuration: Configuration
}

/** @throws as a question; refusals of the gateway for one question are measured as refusals */
export async function measureItem(context: Context, row: EvaluationRow, measuring: Measuring): Promise<Measured> {
  const { kernel, services, tenantId } = context
  const { item, configuration } = measuring
  // Asked anew for each question: rights that were taken meanwhile count.
  const asker = await jobAsker(context, { userId: row.created_by, kind: evaluationKind, ceiling: readable })
  const { mode, ...options } = configuration
  const question = { scope: { tenantId }, asker, text: item.query, mode, sourceIds: row.source_ids }
  const begun = kernel.clock.monotonic()
  const top = Math.min(mostPassages, row.k * passagesPerDocument)
  const { passages } = await retrieve(services, { ...question, options: { top, ...options } })
  const ms = kernel.clock.monotonic() - begun
  const retrieval = retrievalMeasures(passages, item, row.k)
  if (!row.answers) return { measures: { ...noMeasures, ...retrieval }, ms, tokens: 0 }
  const asked = { ...question, options: { top: answerPassages, ...options } }
  const { measures, tokens } = await answerMeasures(context, asker, { item, question: asked })
  return { measures: { ...retrieval, ...measures }, ms, tokens }
}

const gainsOf = ({ relevant }: Item): Gains => new Map(relevant.map(({ document, gain = 1 }) => [document, gain]))

/** A document by the name that the judgments have for it: its id or its title. */
const nameIn = (gains: Gains, id: string, title: string): string => (gains.has(id) ? id : title)

function retrievalMeasures(passages: readonly Passage[], item: Item, k: number): RetrievalMeasures {
  if (item.answerable === false) return { ndcg: null, recall: null, mrr: null, context_precision: null }
  const gains = gainsOf(item)
  const ranking = [...new Set(passages.map(({ documentId, title }) => nameIn(gains, documentId, title)))]
  return {
    ...{ ndcg: ndcg(ranking, gains, k), recall: recall(ranking, gains, k), mrr: reciprocalRank(ranking, gains, k) },
    context_precision: contextPrecision(ranking, gains, k),
  }
}

interface Answering {
  readonly item: Item
  readonly question: Question
}

async function answerMeasures(
  { kernel, services, tenantId }: Context,
  asker: Asker,
  { item, question }: Answering,
): Promise<{ readonly measures: AnswerMeasures; readonly tokens: number }> {
  const answered = await answerQuestion(services, {
    ...{ asker, question, least: kernel.settings.get(minGroundedness, tenantId), needsSources: true },
    conversation: {
      ...{ question: item.query, history: [], pinned: [], instructions: null },
      ...{ strategy: 'sliding_window', windowTokens },
    },
  }).catch((error: unknown) => {
    // A policy refused this question: its person gets no answer.
    if (error instanceof ProblemError && error.status === 422 && error.code.startsWith('GW-')) return null
    throw error
  })
  const refused = answered === null || answered.status === 'not_found'
  const answerable = item.answerable !== false
  const gains = gainsOf(item)
  const cited = new Set(refused ? [] : answered.citations.map((one) => nameIn(gains, one.document_id, one.title)))
  const relevant = [...gains].flatMap(([name, gain]) => (gain > 0 ? [name] : []))
  return {
    tokens: answered?.completion?.usage.total_tokens ?? 0,
    measures: {
      groundedness: refused ? null : (answered.groundedness?.score ?? 0),
      citation_precision: cited.size === 0 ? null : shareOf([...cited], (name) => (gains.get(name) ?? 0) > 0),
      citation_recall: answerable ? shareOf(relevant, (name) => cited.has(name)) : null,
      refusal_correctness: refused === answerable ? 0 : 1,
    },
  }
}
