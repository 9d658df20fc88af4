import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { detectAliases } from './scripts/tests/detect-bundle.ts'
import { projectNames, readTestFiles } from './scripts/tests/projects.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig(async () => {
  const files = readTestFiles(root)
  const alias = await detectAliases(root)
  const filesOf = (name: string): string[] => files.all.filter((file) => files.projectOf(file) === name)
  const projects = projectNames.map(
    (name): TestProjectInlineConfiguration => ({
      // As in tsconfig.json: inside the workspace its sources are used.
      resolve: { alias: [...alias, { find: '@parapet/sdk', replacement: `${root}packages/sdk/src/index.ts` }] },
      test: { ...shared, name, include: filesOf(name) },
    }),
  )
  return {
    test: {
      projects,
      globalSetup: [
        'scripts/tests/announce-projects.ts',
        'apps/server/test/support/announce-services.ts',
        'apps/server/test/support/empty-cluster.ts',
        'apps/server/test/support/begin-run.ts',
      ],
      maxWorkers: '100%',
      // Transformed modules, by their content: the second run does not transform them again. A run inside a run does
      // without: it would clear the cache of the outer one, whose lock file is another.
      experimental: { fsModuleCache: process.env.PARAPET_TEST_MODULE_CACHE !== 'off' },
    },
  }
})

const shared: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['scripts/property-seed.ts', 'scripts/prototypes.ts'],
  pool: 'forks',
  // No suite replaces modules or shares state through them; loading them anew for each file cost a third of the run.
  isolate: false,
  // The sealer and the relay follow within a second, on a busy machine within a few.
  expect: { poll: { timeout: 30_000 } },
  // For what hangs. What is slow on busy cores is not judged by its time, so that a suite needs no limit of its own.
  testTimeout: 180_000,
  hookTimeout: 240_000,
}
