/**
 * Compliance: frameworks with their controls, automatic checks that read the running system, evidence in a signed chain,
 * and mappings from which only what is sound follows. Promises that looking away raises no score, that a check that could
 * not read is never a pass, and that no evidence changes without being seen. It gives no legal opinion. Tested beside its
 * files.
 */
import { factsPort } from '../../kernel/facts/facts.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { iamApi } from '../iam/api.ts'
import type { ComplianceApi } from './api.ts'
import { createAssessment } from './assessments/assessments.ts'
import { assessmentCompleted } from './assessments/events.ts'
import { assessments, results } from './assessments/tables.ts'
import { checkFailed, checkRecovered } from './checks/events.ts'
import { checkJob, checkTriggers } from './checks/runs.ts'
import { checkStates } from './declared/check-table.ts'
import { controls } from './declared/control-table.ts'
import { breaks, claims, evidence, records } from './declared/evidence-tables.ts'
import { frameworks, mappings } from './declared/framework-tables.ts'
import { scoreChanged } from './declared/score-events.ts'
import { readFramework } from './documents/read-task.ts'
import { errors } from './errors/errors.ts'
import { evidenceExpired, expiryWarned, integrityFailed } from './evidence/events.ts'
import { checksFact, classificationsFact, evidenceFact } from './facts.ts'
import { addBuiltins, builtinsJob } from './frameworks/builtins.ts'
import { frameworkUpdated } from './frameworks/events.ts'
import { assessmentsMigration, complianceMigration, evidenceMigration } from './migrations/0001-compliance.ts'
import { agentStateMigration } from './migrations/0002-agent-state.ts'
import { toldScoresMigration } from './migrations/0003-told-scores.ts'
import { assessmentRoutes } from './routes/assessments.routes.ts'
import { controlRoutes } from './routes/controls.routes.ts'
import { evidenceRoutes } from './routes/evidence.routes.ts'
import { frameworkRoutes } from './routes/frameworks.routes.ts'
import { scoresJob } from './scores/tell.ts'
import type { ComplianceServices } from './services/compliance-services.ts'
import { complianceSignals } from './signals.ts'
import { dailyJob, expiryJob } from './upkeep.ts'

export default defineModule<ComplianceServices, ComplianceApi>({
  name: 'compliance',
  uses: ['iam'],
  needs: [factsPort],
  prefix: 'compliance',
  errors,
  tables: [frameworks, controls, mappings, evidence, records, claims, breaks, checkStates, assessments, results],
  migrations: [complianceMigration, evidenceMigration, assessmentsMigration, agentStateMigration, toldScoresMigration],
  routes: [...frameworkRoutes, ...controlRoutes, ...assessmentRoutes, ...evidenceRoutes],
  emits: [
    ...[frameworkUpdated, checkFailed, checkRecovered, integrityFailed],
    ...[expiryWarned, evidenceExpired, assessmentCompleted, scoreChanged],
  ],
  handles: [checkTriggers],
  jobs: [checkJob, builtinsJob, expiryJob, dailyJob, scoresJob],
  tasks: [readFramework],
  facts: [evidenceFact, checksFact, classificationsFact],
  signals: (_services, tx, at) => complianceSignals(tx, at),
  services: (kernel, use, need) => ({ kernel, iam: use(iamApi), facts: need(factsPort) }),
  api: (services) => ({
    runAssessment: async (tx, actor, { name, frameworkIds }) => {
      const input = { type: 'automated' as const, name, framework_ids: [...frameworkIds] }
      const { data } = await createAssessment(services, tx, { actor, input })
      const scores = data.scores?.frameworks.map(({ score }) => score.effectiveness ?? 0) ?? []
      return { id: data.id, status: data.status, effectiveness: scores }
    },
  }),
  seed: ({ kernel }, tx) => addBuiltins(kernel, tx),
})
