import { type IdentitySource, identityPort } from '../../src/kernel/auth/port.ts'
import { defineModule, type Module } from '../../src/kernel/module/module.ts'
import { fill } from '../../src/kernel/module/ports/port.ts'

/** Stands for the identity module: it answers who may do what. */
export const identityModule = (source: IdentitySource): Module =>
  defineModule({
    name: 'iam',
    prefix: 'iam',
    errors: {},
    tables: [],
    migrations: [],
    routes: [],
    emits: [],
    services: () => undefined,
    fills: [fill(identityPort, () => source)],
  })
