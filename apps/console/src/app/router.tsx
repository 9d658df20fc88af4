/** Addresses and their pages. Each area is a file of its own that is loaded when somebody goes there. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { HomePage } from '../home/home-page'
import { Empty } from '../ui/states'
import { Gate } from './gate'

const root = createRootRoute({
  component: Gate,
  notFoundComponent: () => (
    <Empty title="There is no such page" icon="search">
      <p>Press Ctrl K to find another one.</p>
    </Empty>
  ),
})

const page = (path: string, component: RouteComponent) => createRoute({ getParentRoute: () => root, path, component })

/** A list that stays while the detail of a row is open over it. */
function listWith(path: string, component: RouteComponent, detail: RouteComponent) {
  const list = createRoute({ getParentRoute: () => root, path, component })
  return list.addChildren([createRoute({ getParentRoute: () => list, path: '$id', component: detail })])
}

const toFirst = (path: string, href: string) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ href })
    },
    component: Outlet,
  })

const gateway = () => import('../gateway')
const aegis = () => import('../aegis')
const risk = () => import('../risk')
const compliance = () => import('../compliance')
const iam = () => import('../iam')
const admin = () => import('../admin')
const auth = () => import('../auth')
const generic = () => import('../generic')

/** Pages for people who are not signed in; the letters of accounts lead to the short addresses. */
const publicPages = [
  ['/sign-in/invitation', 'InvitationPage'],
  ['/sign-in/forgot', 'ForgotPage'],
  ['/sign-in/reset', 'ResetPage'],
  ['/reset', 'ResetPage'],
  ['/sign-in/confirm-email', 'ConfirmEmailPage'],
  ['/confirm-email', 'ConfirmEmailPage'],
] as const

const tree = root.addChildren([
  page('/', HomePage),
  page('/home', HomePage),
  page(
    '/trust',
    lazyRouteComponent(() => import('../trust'), 'TrustPage'),
  ),
  toFirst('/gateway', '/gateway/requests'),
  listWith(
    '/gateway/requests',
    lazyRouteComponent(gateway, 'RequestsPage'),
    lazyRouteComponent(gateway, 'RequestDrawer'),
  ),
  page('/gateway/playground', lazyRouteComponent(gateway, 'PlaygroundPage')),
  page('/gateway/policies', lazyRouteComponent(gateway, 'PoliciesPage')),
  page('/gateway/providers', lazyRouteComponent(gateway, 'ProvidersPage')),
  page('/gateway/models', lazyRouteComponent(gateway, 'ModelsPage')),
  page('/gateway/budgets', lazyRouteComponent(gateway, 'BudgetsPage')),
  page('/gateway/kill-switches', lazyRouteComponent(gateway, 'KillSwitchesPage')),
  toFirst('/aegis', '/aegis/alerts'),
  listWith('/aegis/alerts', lazyRouteComponent(aegis, 'AlertsPage'), lazyRouteComponent(aegis, 'AlertDrawer')),
  listWith('/aegis/approvals', lazyRouteComponent(aegis, 'ApprovalsPage'), lazyRouteComponent(aegis, 'ApprovalDrawer')),
  listWith('/aegis/mcp-servers', lazyRouteComponent(aegis, 'McpServersPage'), lazyRouteComponent(aegis, 'McpDrawer')),
  listWith('/aegis/agents', lazyRouteComponent(aegis, 'AgentsPage'), lazyRouteComponent(aegis, 'AgentDrawer')),
  listWith('/aegis/shadow-ai', lazyRouteComponent(aegis, 'ShadowPage'), lazyRouteComponent(aegis, 'ShadowDrawer')),
  page('/aegis/anomalies', lazyRouteComponent(aegis, 'AnomaliesPage')),
  page('/aegis/posture', lazyRouteComponent(aegis, 'PosturePage')),
  toFirst('/risk', '/risk/register'),
  listWith('/risk/register', lazyRouteComponent(risk, 'RegisterPage'), lazyRouteComponent(risk, 'RiskDrawer')),
  page('/risk/threats', lazyRouteComponent(risk, 'ThreatsPage')),
  toFirst('/compliance', '/compliance/frameworks'),
  page('/compliance/frameworks', lazyRouteComponent(compliance, 'FrameworksPage')),
  listWith(
    '/compliance/controls',
    lazyRouteComponent(compliance, 'ControlsPage'),
    lazyRouteComponent(compliance, 'ControlDrawer'),
  ),
  listWith(
    '/compliance/assessments',
    lazyRouteComponent(compliance, 'AssessmentsPage'),
    lazyRouteComponent(compliance, 'AssessmentDrawer'),
  ),
  page('/compliance/evidence', lazyRouteComponent(compliance, 'EvidencePage')),
  toFirst('/iam', '/iam/users'),
  page('/iam/users', lazyRouteComponent(iam, 'UsersPage')),
  page('/iam/roles', lazyRouteComponent(iam, 'RolesPage')),
  page('/iam/api-keys', lazyRouteComponent(iam, 'ApiKeysPage')),
  page('/iam/sessions', lazyRouteComponent(iam, 'SessionsPage')),
  page('/iam/account', lazyRouteComponent(auth, 'AccountPage')),
  ...publicPages.map(([path, name]) => page(path, lazyRouteComponent(auth, name))),
  toFirst('/admin', '/admin/health'),
  page('/admin/health', lazyRouteComponent(admin, 'HealthPage')),
  page('/admin/audit', lazyRouteComponent(admin, 'AuditPage')),
  page('/admin/jobs', lazyRouteComponent(admin, 'JobsPage')),
  page('/admin/settings', lazyRouteComponent(admin, 'SettingsPage')),
  page('/admin/flags', lazyRouteComponent(admin, 'FlagsPage')),
  page('/modules/$', lazyRouteComponent(generic, 'ResourcePage')),
  page(
    '/docs',
    lazyRouteComponent(() => import('../docs'), 'DocsPage'),
  ),
])

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString()
    return text === '' ? '' : `?${text}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
