/**
 * CyberTwins: a twin of the estate as a graph of hosts, identities, software, and of models, agents, tools and data; the
 * ways of an attacker through it with their probabilities, the changes that lower them most, and campaigns. Promises that
 * equal states and seeds give equal results and that no fact vanishes silently. It executes no attack and sends no
 * traffic. Tested beside its files.
 */
import { factsPort } from '../../kernel/facts/facts.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { fill } from '../../kernel/module/ports/port.ts'
import { jobCancelledPort, jobDiedPort, type Notice, tellAll } from '../../kernel/notices/notices.ts'
import { iamApi } from '../iam/api.ts'
import { riskApi } from '../risk/api.ts'
import { analysisRuns, cancelAnalysisWithJob, failAnalysisWithJob } from './analysis/run.ts'
import { pathThreshold } from './analysis/settings.ts'
import { analyzePaths, analyzeSmall } from './analysis/task.ts'
import { campaignRuns, cancelCampaignWithJob, failCampaignWithJob } from './campaigns/run.ts'
import { runCampaign } from './campaigns/task.ts'
import {
  analysisCompleted,
  assetChanged,
  campaignCompleted,
  importCompleted,
  pathDiscovered,
} from './declared/events.ts'
import { analyses, assetKeys, assets, campaigns, imports, relations, snapshots } from './declared/tables.ts'
import { errors } from './errors/errors.ts'
import { assetsFact, reachabilityFact } from './facts.ts'
import { readTwinFile } from './imports/read-task.ts'
import { twinMigration } from './migrations/0001-twin.ts'
import { runsMigration } from './migrations/0002-runs.ts'
import { assetRoutes } from './routes/assets.routes.ts'
import { graphRoutes } from './routes/graphs.routes.ts'
import { runRoutes } from './routes/runs.routes.ts'
import type { TwinServices } from './services/twin-services.ts'
import { twinSignals } from './signals.ts'
import { reanalysis, refreshJob, staleJob } from './upkeep.ts'

const both = <T>(...notices: readonly Notice<T>[]): Notice<T> => tellAll(() => notices)

export default defineModule<TwinServices>({
  name: 'cybertwins',
  uses: ['iam', 'risk'],
  needs: [factsPort],
  prefix: 'cybertwins',
  errors,
  tables: [assets, assetKeys, relations, imports, snapshots, analyses, campaigns],
  migrations: [twinMigration, runsMigration],
  settings: [pathThreshold],
  routes: [...assetRoutes, ...graphRoutes, ...runRoutes],
  emits: [assetChanged, importCompleted, analysisCompleted, pathDiscovered, campaignCompleted],
  jobs: [analysisRuns, campaignRuns, staleJob, refreshJob, reanalysis],
  tasks: [analyzePaths, analyzeSmall, runCampaign, readTwinFile],
  facts: [assetsFact, reachabilityFact],
  fills: [
    fill(jobCancelledPort, ({ kernel }: TwinServices) =>
      both(cancelAnalysisWithJob(kernel), cancelCampaignWithJob(kernel)),
    ),
    fill(jobDiedPort, ({ kernel }: TwinServices) => both(failAnalysisWithJob(kernel), failCampaignWithJob(kernel))),
  ],
  signals: (_services, tx) => twinSignals(tx),
  services: (kernel, use, need) => ({ kernel, iam: use(iamApi), risk: use(riskApi), facts: need(factsPort) }),
})
