/** Which facts the kinds of reports tell. */
import type { ReportKind } from '../declared/report-words.ts'

export const sectionsOf: Readonly<Record<Exclude<ReportKind, 'custom'>, readonly string[]>> = {
  executive: [
    'trust.score',
    'trust.history',
    'aegis.alerts',
    'risk.register',
    'risk.losses',
    'compliance.checks',
    'gateway.decisions',
    'aegis.kill_switches',
  ],
  trust: ['trust.score', 'trust.history'],
  compliance: ['compliance.evidence', 'compliance.checks', 'compliance.classifications'],
  risk: ['risk.register', 'risk.losses'],
  ai_gateway: ['gateway.decisions', 'gateway.providers', 'gateway.policies'],
  aegis: [
    ...['aegis.alerts', 'aegis.detection_rules', 'aegis.agents', 'aegis.activity', 'aegis.shadow_ai'],
    ...['aegis.guardrails', 'aegis.approvals', 'aegis.mcp_servers'],
  ],
  resilience: ['resilience.objectives', 'resilience.experiments'],
  cyber_twin: ['cybertwins.assets', 'cybertwins.reachability'],
  data_governance: [
    'data_gov.assets',
    'data_gov.requests',
    'data_gov.consents',
    'data_gov.retention',
    'data_gov.lineage',
  ],
  identity: ['iam.privileged_accounts', 'iam.second_factors', 'iam.api_keys', 'iam.agents'],
  service_ai: ['svc_ai.sources', 'svc_ai.answers'],
  automation: ['platform.workflows', 'platform.deliveries'],
  audit_log: ['admin.audit_chain', 'admin.backups'],
}

export const titles: Readonly<Record<ReportKind, string>> = {
  executive: 'Executive report',
  trust: 'Trust report',
  compliance: 'Compliance report',
  risk: 'Risk report',
  ai_gateway: 'AI gateway report',
  aegis: 'Agent security report',
  resilience: 'Resilience report',
  cyber_twin: 'Cyber twin report',
  data_governance: 'Data governance report',
  identity: 'Identity report',
  service_ai: 'Service AI report',
  automation: 'Automation report',
  audit_log: 'Integrity of the audit log',
  custom: 'Report',
}
