import { execFileSync } from 'node:child_process';
import { ensurePdfToTextInstalled } from '@saleschannel/local-backends';

/** Returns the text of a PDF without line breaks and direction marks. */
export async function readPdfText(pdf: Buffer): Promise<string> {
  const program = await ensurePdfToTextInstalled();
  const text = execFileSync(program, ['-', '-'], { input: pdf, encoding: 'utf8' });
  return text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').replaceAll(/\s+/g, ' ');
}
