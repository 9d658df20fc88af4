/**
 * AEGIS, as far as it is built: the one kill-switch table of the platform, detection rules and alerts. Promises that an
 * activation of a kill switch counts here before it is answered and elsewhere within a second, and that events of all
 * modules meet the rules once each. Rooms and their tests: alerts/, rules/ (its engine without I/O in engine/); kill
 * switches are tested in kill-list.test.ts and through the gateway's routes.
 */
import type { Activity } from '../../kernel/lifecycle/activity.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { fill } from '../../kernel/module/ports/port.ts'
import { iamApi } from '../iam/api.ts'
import { activityRoutes } from './activity/activity.routes.ts'
import { gatewayRecords } from './activity/gateway-records.ts'
import { readBatch } from './activity/read-batch.ts'
import { activity } from './activity/tables.ts'
import { agentRoutes } from './agents/agents.routes.ts'
import { agentStatusChanged } from './agents/events.ts'
import { agentsFact } from './agents/facts.ts'
import { quarantineKilled } from './agents/killed.ts'
import { agents, agentUses } from './agents/tables.ts'
import { tellOverdueReviews } from './agents/telling/overdue.ts'
import { alertRoutes } from './alerts/alerts.routes.ts'
import { alertEvents } from './alerts/declared/events.ts'
import { alerts, alertTimeline } from './alerts/declared/tables.ts'
import { alertsFact, detectionRulesFact } from './alerts/facts.ts'
import { alertUpkeep } from './alerts/upkeep.ts'
import type { AegisApi } from './api.ts'
import { approvalRoutes } from './approvals/approvals.routes.ts'
import { approvalDecided, approvalRequested } from './approvals/events.ts'
import { expireApprovals } from './approvals/expiry.ts'
import { approvalsFact } from './approvals/facts.ts'
import { approvals } from './approvals/table.ts'
import { baselineRoutes } from './baselines/baselines.routes.ts'
import { agentAnomaly } from './baselines/events.ts'
import { activityFact } from './baselines/facts.ts'
import { scoringJob } from './baselines/scoring-job.ts'
import { anomalies, baselineBuckets, baselines } from './baselines/tables.ts'
import { checkFacts } from './check-facts.ts'
import { errors } from './errors/errors.ts'
import { killSwitchActivated, killSwitchDeactivated } from './events.ts'
import { killSwitchesFact } from './facts.ts'
import { autoRollback } from './guardrails/authoring/auto-rollback.ts'
import { removeOldMetrics } from './guardrails/authoring/metrics.ts'
import { guardrailsFact } from './guardrails/coverage/facts.ts'
import { guardrailRolledOut, guardrailTriggered } from './guardrails/declared/events.ts'
import { guardrailMetrics, guardrails, guardrailVersions } from './guardrails/declared/tables.ts'
import { lookTask } from './guardrails/engine/look.ts'
import { guardrailFillings } from './guardrails/gateway/fillings.ts'
import { guardrailRoutes } from './guardrails/routes/guardrails.routes.ts'
import { killSwitchRoutes } from './kill-switches.routes.ts'
import { expireOver, someSwitchesOver } from './kill-switches.ts'
import { callCompleted, serverScanned, toolChanged } from './mcp/declared/events.ts'
import { callRetention, mcpSettings } from './mcp/declared/settings.ts'
import { calls, servers, taints, tools } from './mcp/declared/tables.ts'
import { removeLabels } from './mcp/flow/store.ts'
import { inspectTask } from './mcp/inspect/inspect.ts'
import { createGuards } from './mcp/proxy/guards.ts'
import { createProxy, type ProxyServices } from './mcp/proxy/services.ts'
import { mcpRecords } from './mcp/records/activity.ts'
import { removeOldCalls } from './mcp/records/retention.ts'
import { mcpRoutes } from './mcp/routes/mcp.routes.ts'
import { mcpMetadataRoutes } from './mcp/routes/metadata.routes.ts'
import { mcpServerRoutes } from './mcp/routes/servers.routes.ts'
import { scanTask } from './mcp/scan/scan-task.ts'
import { checkJob, recheckJob } from './mcp/servers/check.ts'
import type { McpParts } from './mcp/servers/parts.ts'
import { mcpServersFact } from './mcp-fact.ts'
import { killSwitchMigration } from './migrations/0001-kill-switches.ts'
import { instancesMigration } from './migrations/0002-instances.ts'
import { scopesMigration } from './migrations/0003-scopes.ts'
import { detectionRulesMigration } from './migrations/0010-detection-rules.ts'
import { alertsMigration } from './migrations/0011-alerts.ts'
import { agentsMigration } from './migrations/0020-agents.ts'
import { activityMigration } from './migrations/0021-activity.ts'
import { baselinesMigration } from './migrations/0022-baselines.ts'
import { joinedCallsMigration } from './migrations/0023-joined-calls.ts'
import { peerBaselinesMigration } from './migrations/0024-peer-baselines.ts'
import { agentReviewsMigration } from './migrations/0025-agent-reviews.ts'
import { shadowAiMigration } from './migrations/0030-shadow-ai.ts'
import { postureMigration } from './migrations/0031-posture.ts'
import { approvalsMigration } from './migrations/0040-approvals.ts'
import { guardrailsMigration } from './migrations/0041-guardrails.ts'
import { mcpServersMigration } from './migrations/0050-mcp-servers.ts'
import { mcpCallsMigration } from './migrations/0051-mcp-calls.ts'
import { mcpListPinsMigration } from './migrations/0052-mcp-list-pins.ts'
import { enforcedScopesPort, type KillSwitchScope } from './ports/enforced-scopes.ts'
import { killTargetsPort } from './ports/kill-targets.ts'
import { postureUpdated } from './posture/events.ts'
import { postureRoutes } from './posture/posture.routes.ts'
import { type PostureParts, postureJob, postureTriggers } from './posture/refresh.ts'
import { postures } from './posture/tables.ts'
import { ruleHealth, ruleStates, rules, suppressions, watches } from './rules/declared/tables.ts'
import { absenceJob } from './rules/detection/absence.ts'
import { detection } from './rules/detection/handler.ts'
import { installPack, packJob } from './rules/installation/install.ts'
import { ruleRoutes } from './rules/rules.routes.ts'
import { type AegisServices, createAegis } from './service.ts'
import { sessionRoutes } from './sessions/sessions.routes.ts'
import { sessions } from './sessions/tables.ts'
import { closeIdleSessions, removeOldSessions, sessionRetention } from './sessions/upkeep.ts'
import { ingestionCompleted, serviceDiscovered } from './shadow-ai/declared/events.ts'
import { shadowAiFact } from './shadow-ai/declared/facts.ts'
import type { ShadowAiParts } from './shadow-ai/declared/parts.ts'
import { shadowAiSettings } from './shadow-ai/declared/settings.ts'
import { catalogEntries, ingestions, services as shadowServices, uses } from './shadow-ai/declared/tables.ts'
import { readPiece } from './shadow-ai/matching/read-piece.ts'
import { shadowAiRoutes } from './shadow-ai/routes/shadow-ai.routes.ts'
import { shadowAiUpkeep } from './shadow-ai/services/upkeep.ts'
import { aegisSignals } from './signals.ts'
import { instances, killSwitches } from './tables.ts'

interface Services extends AegisServices {
  readonly shadowAi: ShadowAiParts
  readonly posture: PostureParts
  readonly mcp: McpParts
  readonly proxy: ProxyServices
}

/** Streams of sessions end, and records under way are stored before the database closes. */
const drainOf = ({ recorder, pool }: ProxyServices): Activity => ({
  name: 'records of MCP calls',
  start: async () => undefined,
  stop: () => {
    pool.close()
    return recorder.drained()
  },
})

/** Scopes that every message to an MCP server is held against. */
const firewallScopes: readonly KillSwitchScope[] = ['key', 'user', 'agent', 'agents_by_tag', 'mcp_server', 'tool']

export default defineModule<Services, AegisApi>({
  name: 'aegis',
  uses: ['iam'],
  needs: [enforcedScopesPort, killTargetsPort],
  fills: [...guardrailFillings, fill(enforcedScopesPort, () => firewallScopes)],
  prefix: 'aegis',
  errors,
  sealed: [{ table: 'aegis_mcp_server', column: 'secret' }],
  tables: [
    ...[killSwitches, instances, rules, suppressions, ruleHealth, ruleStates, watches, alerts, alertTimeline],
    ...[agents, agentUses, sessions, activity, baselines, baselineBuckets, anomalies],
    ...[ingestions, shadowServices, uses, catalogEntries, postures, servers, tools, calls, taints],
    ...[approvals, guardrails, guardrailVersions, guardrailMetrics],
  ],
  migrations: [
    ...[killSwitchMigration, instancesMigration, scopesMigration, detectionRulesMigration, alertsMigration],
    ...[agentsMigration, activityMigration, baselinesMigration, joinedCallsMigration],
    ...[peerBaselinesMigration, agentReviewsMigration],
    ...[shadowAiMigration, postureMigration],
    ...[approvalsMigration, guardrailsMigration, mcpServersMigration, mcpCallsMigration, mcpListPinsMigration],
  ],
  routes: [
    ...[...alertRoutes, ...ruleRoutes, ...agentRoutes, ...activityRoutes, ...sessionRoutes, ...baselineRoutes],
    ...[...shadowAiRoutes, ...postureRoutes, ...guardrailRoutes, ...approvalRoutes],
    ...[...killSwitchRoutes, ...mcpServerRoutes, ...mcpRoutes],
  ],
  extraRoutes: { '/.well-known': mcpMetadataRoutes },
  emits: [
    ...[killSwitchActivated, killSwitchDeactivated, ...alertEvents, agentStatusChanged, agentAnomaly],
    ...[serviceDiscovered, ingestionCompleted, postureUpdated, serverScanned, toolChanged, callCompleted],
    ...[approvalRequested, approvalDecided, guardrailTriggered, guardrailRolledOut],
  ],
  handles: [detection, gatewayRecords, mcpRecords, postureTriggers, quarantineKilled],
  settings: [sessionRetention, shadowAiSettings, mcpSettings, callRetention],
  tasks: [readBatch, readPiece, scanTask, inspectTask, lookTask],
  jobs: [
    {
      kind: 'aegis.kill_switch.expire',
      maxAttempts: 3,
      leaseMs: 30_000,
      everyMs: 60_000,
      due: someSwitchesOver,
      run: ({ tenantId, services }) => expireOver(services.parts, tenantId),
    },
    absenceJob,
    alertUpkeep,
    packJob,
    closeIdleSessions,
    removeOldSessions,
    scoringJob,
    shadowAiUpkeep,
    postureJob,
    ...[recheckJob, checkJob, removeOldCalls, removeLabels],
    expireApprovals,
    autoRollback,
    removeOldMetrics,
    tellOverdueReviews,
  ],
  services: (kernel, use, need) => {
    const iam = use(iamApi)
    const aegis = createAegis(kernel, iam, {
      countSecondPeople: (tx, actor, permission) => iam.countSecondPeople(tx, actor, permission),
      enforcedScopes: need(enforcedScopesPort),
      killTargets: need(killTargetsPort),
    })
    const proxy = createProxy(kernel, aegis.gate, createGuards(kernel, aegis.guardrails))
    const mcp = { kernel, link: proxy.link }
    return { ...aegis, shadowAi: { kernel, iam }, posture: { kernel, directory: iam }, mcp, proxy }
  },
  api: (services) => services.api,
  activities: (services) => [services.lease, services.guardrails.activity, drainOf(services.proxy)],
  facts: [
    ...[killSwitchesFact, alertsFact, detectionRulesFact, agentsFact, activityFact, shadowAiFact],
    ...[guardrailsFact, approvalsFact, mcpServersFact, ...checkFacts],
  ],
  signals: (_services, tx, at) => aegisSignals(tx, at),
  seed: ({ parts }, tx) => installPack(parts.kernel, tx),
})
