import { accountEvents } from './accounts/events.ts'
import { apiKeyEvents } from './api-keys/events.ts'
import { postureMeasured } from './posture/events.ts'
import { reviewEvents } from './reviews/events.ts'
import { rightsEvents } from './rights/events.ts'
import { scimSyncFailed } from './scim/events.ts'
import { sessionEvents } from './sessions/events.ts'
import { signInEvents } from './sign-in/events.ts'
import { ssoEvents } from './sso/events.ts'
import { tenantLifeEvents } from './tenant-life/events.ts'
import { tenantCreated } from './tenants/events.ts'

export const iamEvents = [
  ...accountEvents,
  ...rightsEvents,
  ...sessionEvents,
  ...signInEvents,
  scimSyncFailed,
  ...apiKeyEvents,
  tenantCreated,
  postureMeasured,
  ...ssoEvents,
  ...reviewEvents,
  ...tenantLifeEvents,
] as const
