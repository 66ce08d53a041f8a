// Replaces Docker and Compose: passes its arguments to the drill, which executes them.
const { DRILL_URL } = process.env;
if (DRILL_URL === undefined) throw new Error('DRILL_URL is not set.');
const response = await fetch(DRILL_URL, { method: 'POST', body: JSON.stringify(process.argv.slice(2)) });
const output = await response.text();
if (response.ok) process.stdout.write(output);
else {
  process.stderr.write(`${output}\n`);
  process.exitCode = 1;
}
