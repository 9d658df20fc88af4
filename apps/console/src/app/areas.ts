/** The areas of the rail and their pages, which the palette finds too. */
import type { IconName } from '../ui/icons'

export interface AreaPage {
  readonly name: string
  readonly href: string
}

export interface Area {
  readonly name: string
  readonly icon: IconName
  readonly href: string
  /** Every address of the area begins so. */
  readonly below: string
  /** Without it the area is not shown. */
  readonly permission: string | null
  readonly pages: readonly AreaPage[]
}

const area = (name: string, icon: IconName, slug: string, pages: readonly (readonly [string, string])[]): Area => ({
  name,
  icon,
  href: pages.length === 0 ? `/${slug}` : `/${slug}/${pages[0]?.[1] ?? ''}`,
  below: `/${slug}`,
  permission: `${slug}:read`,
  pages: pages.map(([page, path]) => ({ name: page, href: `/${slug}/${path}` })),
})

export const areas: readonly Area[] = [
  { ...area('Home', 'home', '', []), href: '/', below: '/home', permission: null },
  area('Trust', 'trust', 'trust', []),
  area('Gateway', 'gateway', 'gateway', [
    ['Requests', 'requests'],
    ['Playground', 'playground'],
    ['Policies', 'policies'],
    ['Providers', 'providers'],
    ['Models', 'models'],
    ['Budgets', 'budgets'],
    ['Kill switches', 'kill-switches'],
  ]),
  area('AEGIS', 'aegis', 'aegis', [
    ['Alerts', 'alerts'],
    ['Approvals', 'approvals'],
    ['Agents', 'agents'],
    ['MCP servers', 'mcp-servers'],
    ['Shadow AI', 'shadow-ai'],
    ['Anomalies', 'anomalies'],
    ['Posture', 'posture'],
  ]),
  area('Risk', 'risk', 'risk', [
    ['Register', 'register'],
    ['Threats', 'threats'],
  ]),
  area('Compliance', 'compliance', 'compliance', [
    ['Frameworks', 'frameworks'],
    ['Controls', 'controls'],
    ['Assessments', 'assessments'],
    ['Evidence', 'evidence'],
  ]),
  area('Access', 'iam', 'iam', [
    ['Users', 'users'],
    ['Roles', 'roles'],
    ['API keys', 'api-keys'],
    ['Sessions', 'sessions'],
  ]),
  area('Admin', 'admin', 'admin', [
    ['Health', 'health'],
    ['Audit log', 'audit'],
    ['Jobs', 'jobs'],
    ['Settings', 'settings'],
    ['Feature flags', 'flags'],
  ]),
  { ...area('All resources', 'modules', 'modules', []), permission: null },
]

export const docs: AreaPage = { name: 'API browser', href: '/docs' }
