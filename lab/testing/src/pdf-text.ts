import { execFileSync } from 'node:child_process';
import { ensurePdfToTextInstalled } from '@saleschannel/local-backends';

/** What a PDF says, without what only says where lines end and in which direction they go. */
export async function textOfPdf(pdf: Buffer): Promise<string> {
  const program = await ensurePdfToTextInstalled();
  const text = execFileSync(program, ['-', '-'], { input: pdf, encoding: 'utf8' });
  return text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').replaceAll(/\s+/g, ' ');
}
