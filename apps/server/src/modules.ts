import type { Module } from './kernel/module/module.ts'
import admin from './modules/admin/index.ts'
import aegis from './modules/aegis/index.ts'
import compliance from './modules/compliance/index.ts'
import cybertwins from './modules/cybertwins/index.ts'
import dataGov from './modules/data-gov/index.ts'
import gateway from './modules/gateway/index.ts'
import iam from './modules/iam/index.ts'
import platform from './modules/platform/index.ts'
import resilience from './modules/resilience/index.ts'
import risk from './modules/risk/index.ts'
import svcAi from './modules/svc-ai/index.ts'
import trust from './modules/trust/index.ts'

/** Every module, each after those it uses. */
export const modules: readonly Module[] = [
  iam,
  admin,
  compliance,
  dataGov,
  aegis,
  gateway,
  risk,
  trust,
  resilience,
  cybertwins,
  svcAi,
  platform,
]
