import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,packages}/*/{src,test,train,eval}/**/*.test.ts'],
    globalSetup: ['apps/server/test/support/announce-services.ts', 'apps/server/test/support/empty-cluster.ts'],
    setupFiles: ['scripts/property-seed.ts', 'scripts/prototypes.ts'],
    pool: 'forks',
    // No suite replaces modules or shares state through them; loading them anew for each file cost a third of the run.
    isolate: false,
    // The sealer and the relay follow within a second, on a busy machine within a few.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    // For what hangs. What is slow on two busy cores is not judged by its time, so that a suite needs no limit of its own.
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
})
