import { resource } from '../../../kernel/resource/resource.ts'
import { integrations } from '../declared/integration-tables.ts'
import { errors } from '../errors/errors.ts'

export const integrationResource = resource({
  table: integrations,
  kind: 'platform_integration',
  unique: {
    // Two callers made the same name at once.
    platform_integration_live_name: () => errors.versionDiffers({ kind: 'integration', version: 1 }),
  },
})
