/**
 * Service AI: answers from the organization's own documents and from the platform's facts. Promises that a model is asked
 * through the gateway alone, that nobody finds a passage of a source closed to them, that planted instructions are kept
 * from answers, and that every citation quotes a document by offsets. Retrieval needs no model. Tested beside its files.
 */
import { factsPort } from '../../kernel/facts/facts.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { fill } from '../../kernel/module/ports/port.ts'
import { jobDiedPort } from '../../kernel/notices/notices.ts'
import { gatewayApi } from '../gateway/api.ts'
import { iamApi } from '../iam/api.ts'
import { supportedAnswersFact } from './check-facts.ts'
import { prepareDocument } from './chunking/prepare-task.ts'
import { retentionJob } from './conversations/retention.ts'
import { bindings } from './declared/binding-table.ts'
import { conversations, messages, pins } from './declared/conversation-tables.ts'
import { evaluations } from './declared/evaluation-table.ts'
import { promptLabels, prompts } from './declared/prompt-tables.ts'
import { indexMemory, minGroundedness, vectorMemory } from './declared/settings.ts'
import { blocks, chunks, documents, sources, vectors } from './declared/source-tables.ts'
import { embedJob, failVectorsWithJob } from './embeddings/embed-job.ts'
import { errors } from './errors/errors.ts'
import { evaluationJob, failEvaluationWithJob } from './evaluations/run.ts'
import {
  answerCompleted,
  chunkQuarantined,
  conversationDeleted,
  evaluationCompleted,
  sourceFailed,
  sourceIndexed,
} from './events/events.ts'
import { answersFact, sourcesFact } from './facts.ts'
import { knowledgeMigration } from './migrations/0001-knowledge.ts'
import { conversationsMigration } from './migrations/0002-conversations.ts'
import { promptsMigration } from './migrations/0003-prompts.ts'
import { vectorsMigration } from './migrations/0004-vectors.ts'
import { evaluatedAnswersMigration } from './migrations/0005-evaluated-answers.ts'
import { createIndexes } from './postings/indexes.ts'
import { addBindings, bindingsJob } from './providers/bindings.ts'
import { askRoutes } from './routes/ask.routes.ts'
import { conversationRoutes } from './routes/conversations.routes.ts'
import { evaluationRoutes } from './routes/evaluations.routes.ts'
import { promptRoutes } from './routes/prompts.routes.ts'
import { providerRoutes } from './routes/providers.routes.ts'
import { sourceRoutes } from './routes/sources.routes.ts'
import type { SvcAiServices } from './services/svc-ai-services.ts'
import { refreshFacts } from './sources/refresh.ts'
import { failWithJob, syncJob } from './sources/sync.ts'
import { createVectorIndexes } from './vectors/vector-indexes.ts'

const bytesOfMebibyte = 1_048_576

export default defineModule<SvcAiServices>({
  name: 'svc-ai',
  uses: ['iam', 'gateway'],
  needs: [factsPort],
  prefix: 'svc-ai',
  errors,
  tables: [
    sources,
    documents,
    chunks,
    blocks,
    vectors,
    conversations,
    messages,
    pins,
    bindings,
    prompts,
    promptLabels,
    evaluations,
  ],
  migrations: [
    ...[knowledgeMigration, conversationsMigration, promptsMigration, vectorsMigration],
    evaluatedAnswersMigration,
  ],
  sealed: [chunks, blocks, vectors, messages, pins].map(({ name }) => ({ table: name, column: 'sealed' })),
  routes: [
    ...askRoutes,
    ...conversationRoutes,
    ...sourceRoutes,
    ...providerRoutes,
    ...promptRoutes,
    ...evaluationRoutes,
  ],
  emits: [answerCompleted, chunkQuarantined, sourceIndexed, sourceFailed, conversationDeleted, evaluationCompleted],
  jobs: [syncJob, refreshFacts, embedJob, retentionJob, bindingsJob, evaluationJob],
  tasks: [prepareDocument],
  settings: [minGroundedness, indexMemory, vectorMemory],
  facts: [sourcesFact, answersFact, supportedAnswersFact],
  fills: [failWithJob, failVectorsWithJob, failEvaluationWithJob].map((tell) => fill(jobDiedPort, tell)),
  services: (kernel, use, need) => ({
    kernel,
    gateway: use(gatewayApi),
    iam: use(iamApi),
    facts: need(factsPort),
    indexes: createIndexes({
      db: kernel.db,
      tenantKeys: kernel.tenantKeys,
      mostBytes: () => kernel.settings.get(indexMemory, null) * bytesOfMebibyte,
    }),
    vectors: createVectorIndexes({
      ...{ db: kernel.db, tenantKeys: kernel.tenantKeys, vectors: kernel.vectors },
      mostBytes: () => kernel.settings.get(vectorMemory, null) * bytesOfMebibyte,
    }),
  }),
  seed: ({ kernel }, tx) => addBindings(kernel, tx),
})
