// Starts a server in a process of its own and asks it for its CPU time, so that the client's work is not counted.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { bundle } from '../scripts/build.mjs'

/** Those of `npm start`, which keep a server small: a bounded young generation, few helper threads, each with an arena. */
export const asShipped = JSON.parse(readFileSync('package.json', 'utf8')).scripts.start.match(/--\S+/g)
/** For looking closer: `BENCH_FLAGS=--cpu-prof`. */
const usual = [...asShipped, ...(process.env.BENCH_FLAGS?.split(' ') ?? [])]

/** TypeScript is bundled first, as for shipping: a development loader would be measured along. */
export async function startChild(
  source,
  { env = {}, args = [], flags = [], folder = 'dist/bench', plugins = [] } = {},
) {
  const isOurs = source.endsWith('.ts')
  const file = isOurs ? await bundled(source, folder, plugins) : source
  const child = fork(file, args, {
    execArgv: isOurs ? [...usual, ...flags] : [],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const once = (type) =>
    new Promise((resolve, reject) => {
      const settle = (how, value) => {
        child.off('message', onMessage)
        child.off('exit', onExit)
        how(value)
      }
      const onMessage = (message) => {
        if (message.type === type) settle(resolve, message)
      }
      const onExit = (code) => settle(reject, new Error(`${file} ended with ${code}`))
      child.on('message', onMessage)
      child.on('exit', onExit)
    })
  const ask = (question) => {
    const answer = once(question.type)
    child.send(question)
    return answer
  }
  // A measurement that fails leaves nothing behind.
  process.once('exit', () => child.kill('SIGKILL'))
  const ready = await once('ready')
  return {
    ...ready,
    pid: child.pid,
    /** CPU microseconds and resident bytes so far. */
    usage: () => ask({ type: 'usage' }),
    /** Sends a message and resolves with the answer of the same type. */
    ask,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit')
        child.once('exit', resolve)
        // A profile is written by a process that ends by itself.
        if (process.env.BENCH_FLAGS === undefined) child.kill('SIGKILL')
        else child.send({ type: 'exit' })
      }),
  }
}

const bundles = new Map()

function bundled(source, folder, plugins) {
  const name = source.replaceAll(/\W/g, '-')
  const file = `${folder}/${name}.mjs`
  const built = bundles.get(file) ?? bundle({ [name]: source }, folder, plugins).then(() => file)
  bundles.set(file, built)
  return built
}
