// Reads a JSON list of [command, properties, message] and prints, as JSON, what @actions/core prints for each.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'

const { issueCommand } = createRequire(import.meta.url)('@actions/core/lib/command.js')
const printed = []
process.stdout.write = (text) => { printed.push(text); return true }
for (const [command, properties, message] of JSON.parse(readFileSync(0, 'utf8'))) {
  issueCommand(command, properties, message)
}
delete process.stdout.write
process.stdout.write(JSON.stringify(printed))
