import { auditMigrations } from '../audit/migrations.ts'
import { auditTables } from '../audit/tables.ts'
import { authMigrations } from '../auth/migrations.ts'
import { authTables } from '../auth/tables.ts'
import { blobMigrations } from '../blobs/migrations.ts'
import { blobTables } from '../blobs/tables.ts'
import { dataRegistryMigrations, dataRegistryTables } from '../data-registry/tables.ts'
import { databaseMigrations } from '../db/schema/migrations.ts'
import type { Schema } from '../db/schema/prepare.ts'
import { databaseTables } from '../db/schema/tables.ts'
import { eventMigrations } from '../events/migrations.ts'
import { eventTables } from '../events/tables.ts'
import { jobMigrations } from '../jobs/migrations.ts'
import { jobTables } from '../jobs/tables.ts'
import { cryptoMigrations } from '../keys/migrations.ts'
import { cryptoTables } from '../keys/tables.ts'
import type { Module } from '../module/module.ts'
import { scheduleMigrations } from '../schedules/migrations.ts'
import { scheduleTables } from '../schedules/tables.ts'
import { secondPersonMigrations, secondPersonTables } from '../second-person/tables.ts'

/** Every table and migration of the program: the kernel's areas first, then the modules in their order. */
export function schemaOf(modules: readonly Module[]): Schema {
  return {
    tables: [
      ...databaseTables,
      ...eventTables,
      ...jobTables,
      ...scheduleTables,
      ...auditTables,
      ...cryptoTables,
      ...authTables,
      ...secondPersonTables,
      ...blobTables,
      ...dataRegistryTables,
      ...modules.flatMap((module) => module.tables),
    ],
    migrations: [
      ...databaseMigrations,
      ...eventMigrations,
      ...jobMigrations,
      ...scheduleMigrations,
      ...auditMigrations,
      ...cryptoMigrations,
      ...authMigrations,
      ...secondPersonMigrations,
      ...blobMigrations,
      ...dataRegistryMigrations,
      ...modules.flatMap((module) => module.migrations),
    ],
  }
}
