import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Prints a result and writes it with everything needed to judge it. */
export function report(name, result) {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const version = (dependency) => lock[`node_modules/${dependency}`]?.version
  const written = {
    name,
    at: new Date().toISOString(),
    node: process.version,
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, memory_gib: Math.round(totalmem() / 2 ** 30) },
    load_average: loadavg(),
    versions: Object.fromEntries(
      ['fastify', 'pg', '@electric-sql/pglite', 'typebox'].map((dependency) => [dependency, version(dependency)]),
    ),
    result,
  }
  mkdirSync('bench/results', { recursive: true })
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify(written, null, 2)}\n`)
  console.log(JSON.stringify(written, null, 2))
}
