import type { Module } from './kernel/module/module.ts'
import admin from './modules/admin/index.ts'
import aegis from './modules/aegis/index.ts'
import gateway from './modules/gateway/index.ts'
import iam from './modules/iam/index.ts'
import trust from './modules/trust/index.ts'

/** Every module, each after those it uses. */
export const modules: readonly Module[] = [iam, admin, aegis, gateway, trust]
