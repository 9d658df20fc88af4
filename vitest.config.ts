import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,packages}/*/{src,test,train,eval}/**/*.test.ts'],
    globalSetup: 'apps/server/test/support/announce-services.ts',
    setupFiles: 'scripts/property-seed.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
