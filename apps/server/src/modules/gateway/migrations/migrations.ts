import { gatewayMigration } from './0001-gateway.ts'
import { explanationMigration } from './0002-explanation.ts'
import { moneyMigration } from './0003-money.ts'
import { routesMigration } from './0004-routes.ts'
import { requestsMigration } from './0005-requests.ts'
import { policiesMigration } from './0006-policies.ts'
import { cacheMigration } from './0007-cache.ts'
import { modelsMigration } from './0008-models.ts'
import { vaultMigration } from './0009-vault.ts'
import { providerKindsMigration } from './0010-provider-kinds.ts'
import { traceMigration } from './0011-trace.ts'
import { exportsMigration } from './0012-exports.ts'
import { providerTermsMigration } from './0013-provider-terms.ts'
import { providerClearanceMigration } from './0014-clearance.ts'
import { secretReferencesMigration } from './0015-secret-references.ts'
import { retiringModelsMigration } from './0016-retiring-models.ts'
import { keyUseMigration } from './0020-key-use.ts'
import { cachePurgeMigration } from './0021-cache-purge.ts'
import { sessionMigration } from './0022-session.ts'
import { requestedProviderMigration } from './0023-requested-provider.ts'
import { intentTargetMigration } from './0024-intent-target.ts'
import { intentDecisionMigration } from './0025-intent-decision.ts'
import { modelAbilitiesMigration } from './0026-model-abilities.ts'
import { auditVerdictMigration } from './0027-audit-verdict.ts'
import { unshownFindingsMigration } from './0028-unshown-findings.ts'
import { keptFindingsMigration } from './0029-kept-findings.ts'
import { lateSpendMigration } from './0030-late-spend.ts'
import { answeredModelMigration } from './0031-answered-model.ts'
import { unloggedCallsMigration } from './0032-unlogged-calls.ts'
import { vaultDueMigration } from './0033-vault-due.ts'
import { exportBlobsMigration } from './0034-export-blobs.ts'

/** In the order of application. Each release appends to the list; existing entries never change. */
export const gatewayMigrations = [
  gatewayMigration,
  explanationMigration,
  moneyMigration,
  routesMigration,
  requestsMigration,
  policiesMigration,
  cacheMigration,
  modelsMigration,
  vaultMigration,
  providerKindsMigration,
  traceMigration,
  exportsMigration,
  providerTermsMigration,
  providerClearanceMigration,
  secretReferencesMigration,
  retiringModelsMigration,
  keyUseMigration,
  cachePurgeMigration,
  sessionMigration,
  requestedProviderMigration,
  intentTargetMigration,
  intentDecisionMigration,
  modelAbilitiesMigration,
  auditVerdictMigration,
  unshownFindingsMigration,
  keptFindingsMigration,
  lateSpendMigration,
  answeredModelMigration,
  unloggedCallsMigration,
  vaultDueMigration,
  exportBlobsMigration,
]
