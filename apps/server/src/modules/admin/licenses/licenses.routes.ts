import Type from 'typebox'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf, Versioned } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { admitLicense, installLicense, listLicenses, removeLicense } from './licenses.ts'
import { InstallLicense, License, RemovedLicense } from './schemas.ts'

const route = routesOf<AdminServices>()

export const licenseRoutes = [
  route.get('/licenses', {
    permission: 'admin:read',
    summary: 'List the licenses with the one that counts, and seats used by day',
    returns: [200, Type.Array(License)],
    handler: async ({ tx, services }) => {
      const { licenses, active, seatsByDay } = await listLicenses(services, tx)
      return new Answer([...licenses], {
        meta: { active: active.id, entitlements: active.entitlements, seats_by_day: seatsByDay },
      })
    },
  }),
  route.post('/licenses', {
    permission: 'admin:admin',
    summary: 'Install a license',
    description:
      'A JWS that a known distributor signed; it is checked here and nobody is asked. A license that has ended refuses ' +
      'new seats after its grace and nothing else.',
    body: InstallLicense,
    returns: [201, License],
    audit: 'admin.license.install',
    errors: [errors.licenseRefused, apiErrors.conflict, authErrors.stepUp],
    ownTransactions: true,
    handler: async (context) => {
      const { body, actor, services, kernel } = context
      const { license: jws, dry_run: dryRun = false } = body
      const read = await admitLicense(services, jws)
      const installed = await kernel.db.tenant(scopeOf(context), (tx) =>
        installLicense(services, tx, { jws, read, actor, dryRun }),
      )
      await services.seats.refresh()
      return new Versioned(installed, 1)
    },
  }),
  route.delete('/licenses/{license_id}', {
    permission: 'admin:admin',
    summary: 'Remove an installed license',
    returns: [200, RemovedLicense],
    audit: 'admin.license.remove',
    errors: [errors.builtinLicense, apiErrors.notFound, apiErrors.preconditionFailed, authErrors.stepUp],
    ownTransactions: true,
    handler: async (context) => {
      const { actor, services, kernel, params, precondition } = context
      const removed = await kernel.db.tenant(scopeOf(context), (tx) =>
        removeLicense(services, tx, { id: params.license_id, actor, precondition }),
      )
      await services.seats.refresh()
      return removed
    },
  }),
]
