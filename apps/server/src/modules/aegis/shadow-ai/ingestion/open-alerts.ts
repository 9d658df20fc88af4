/** Alerts about services that a log showed. Tested in shadow-ai.test.ts. */
import type { Tx } from '../../../../kernel/db/port.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { openAlert } from '../../alerts/open-alert.ts'
import type { DirectRuleKey } from '../../rules/declared/direct.ts'
import type { IngestionRow } from '../declared/ingestion-schema.ts'
import type { ServiceRow } from '../declared/service-schema.ts'
import { shadowAiSettings } from '../declared/settings.ts'

/** Alerts of one log at most, those of the riskiest services. */
const mostAlerts = 200

export interface Shown {
  readonly ingestion: IngestionRow
  /** The log's services as they are now. */
  readonly services: readonly ServiceRow[]
  /** Ids of those that were not known before. */
  readonly made: ReadonlySet<string>
}

/** For banned services that are in use, and for new ones that are MCP servers or of high risk. */
export async function openAlerts(
  kernel: Pick<Kernel, 'clock' | 'random' | 'settings'>,
  tx: Tx,
  { ingestion, services, made }: Shown,
): Promise<void> {
  const { high_risk: highRisk } = kernel.settings.get(shadowAiSettings, tx.tenantId)
  const due = services
    .flatMap((service) => {
      const rule = ruleOf(service, { isNew: made.has(service.id), highRisk })
      return rule === null ? [] : [{ service, rule }]
    })
    .toSorted((one, other) => other.service.risk_score - one.service.risk_score)
  for (const { service, rule } of due.slice(0, mostAlerts)) {
    const { id, name, last_seen: at, users } = service
    await openAlert(kernel, tx, {
      rule,
      groupBy: { service_id: id },
      title: `${titles[rule]}: ${name}`,
      entities: [{ type: 'shadow_ai_service', id, name }],
      evidence: [
        {
          ...{ id: ingestion.id, source: 'shadow_ai_ingestion', at, request_id: null },
          summary: `${name} was used by ${users} users (${ingestion.format} log${ingestion.source === null ? '' : ` of ${ingestion.source}`})`,
        },
      ],
    })
  }
}

type ShadowRule = Extract<DirectRuleKey, 'shadow_service_banned' | 'shadow_service_high_risk' | 'shadow_mcp_server'>

const titles: Readonly<Record<ShadowRule, string>> = {
  shadow_service_banned: 'Banned AI service is in use',
  shadow_service_high_risk: 'New AI service of high risk',
  shadow_mcp_server: 'Unregistered MCP server is in use',
}

interface Seen {
  readonly isNew: boolean
  readonly highRisk: number
}

function ruleOf({ status, type, risk_score: risk }: ServiceRow, { isNew, highRisk }: Seen): ShadowRule | null {
  if (status === 'banned') return 'shadow_service_banned'
  if (!isNew) return null
  if (type === 'mcp_server') return 'shadow_mcp_server'
  return risk >= highRisk ? 'shadow_service_high_risk' : null
}
