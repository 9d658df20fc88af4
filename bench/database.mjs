// A PostgreSQL database for one measurement: made when a server answers, dropped afterwards.
import pg from 'pg'

const server = process.env.BENCH_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Null when no server answers. */
export async function benchDatabase() {
  const admin = new pg.Client({ connectionString: server })
  try {
    await admin.connect()
  } catch {
    return null
  }
  const name = `parapet_bench_${process.pid}_${Math.floor(performance.now())}`
  await admin.query(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
