import { useState } from 'react';
import { Link } from 'wouter';
import { digits } from '../../../shared/format/numbers.ts';
import { dateTime } from '../../../shared/format/time.ts';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { ChooseFile } from '../../imports/choose-file.tsx';
import { ImportStatus } from '../../imports/import-status.tsx';
import { isFinished, useImport, useImportErrors, type Import, type ImportError } from '../../imports/imports.ts';
import { keepFile, keptFile } from '../../imports/kept-files.ts';
import { Mend } from './mend.tsx';
import { text } from './text.ts';

const columns: readonly Column<ImportError>[] = [
  { key: 'line', name: text.line, width: '5rem', align: 'end', cell: ({ line }) => digits(line) },
  { key: 'code', name: text.code, width: '14rem', isMono: true, cell: ({ code }) => code },
  { key: 'detail', name: text.detail, width: 'minmax(20rem, 1fr)', cell: ({ detail }) => detail },
];

/** A bad header is an error of line 1, though no line after it was read. */

function Progress({ of }: { readonly of: Import }) {
  return (
    <div role="status">
      <Facts
        of={[
          [text.status, <ImportStatus key="status" of={of} />],
          [text.file, keptFile(of.importId)?.name],
          [text.created, dateTime(of.createdAt)],
          [text.completed, of.completedAt === null ? undefined : dateTime(of.completedAt)],
          [text.read, digits(of.linesRead)],
          [text.applied, digits(of.linesApplied)],
          [text.failed, digits(of.linesFailed)],
        ]}
      />
    </div>
  );
}

function BadLines({ of: { importId, errorsStored, linesFailed } }: { readonly of: Import }) {
  const errors = useImportErrors(importId, errorsStored);
  const [sent, setSent] = useState(() => keptFile(importId));
  return (
    <section>
      <h2>{text.badLines}</h2>
      {errorsStored < linesFailed && <p>{text.stored(errorsStored, linesFailed)}</p>}
      {sent ? (
        <Mend importId={importId} sent={sent} errors={errors} />
      ) : (
        <>
          <Grid label={text.badLines} columns={columns} source={errors} empty={null} />
          <h3>{text.mend}</h3>
          <p>{text.noFile}</p>
          <ChooseFile
            button={text.choose}
            isBusy={false}
            error={null}
            onChoose={(chosen) => {
              keepFile(importId, chosen);
              setSent(chosen);
            }}
          />
        </>
      )}
    </section>
  );
}

export default function ImportPage({ parameters }: PageProps) {
  const importId = parameters['id'] ?? 'none';
  return (
    <Page title={text.title} aside={<code>{importId}</code>} actions={<Link href="/imports">{text.all}</Link>}>
      <Read of={useImport(importId)}>
        {(found) => (
          <>
            <Progress of={found} />
            {isFinished(found) && found.errorsStored > 0 && <BadLines of={found} />}
          </>
        )}
      </Read>
    </Page>
  );
}
