export const reportKinds = [
  'executive',
  'trust',
  'compliance',
  'risk',
  'ai_gateway',
  'aegis',
  'resilience',
  'cyber_twin',
  'data_governance',
  'identity',
  'service_ai',
  'automation',
  'audit_log',
  'custom',
] as const
export type ReportKind = (typeof reportKinds)[number]

export const reportFormats = ['html', 'csv', 'json', 'pdf'] as const
export type ReportFormat = (typeof reportFormats)[number]
