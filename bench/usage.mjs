// The server's side of child.mjs: tells where it listens and how much CPU it has used.
export function answerUsage(ready) {
  process.on('message', (message) => {
    if (message.type === 'exit') process.exit(0)
    if (message.type !== 'usage') return
    const { user, system } = process.cpuUsage()
    process.send({ type: 'usage', cpu: user + system, rss: process.memoryUsage().rss })
  })
  process.send({ type: 'ready', ...ready })
}
