import { resource } from '../../../kernel/resource/resource.ts'
import { frameworks } from '../declared/framework-tables.ts'
import { errors } from '../errors/errors.ts'

export const frameworkResource = resource({
  table: frameworks,
  kind: 'compliance_framework',
  unique: {
    compliance_framework_edition: ({ key, edition }) => errors.versionExists({ key, version: edition }),
  },
})
