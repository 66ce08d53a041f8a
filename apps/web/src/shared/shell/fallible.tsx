import { Component, type ReactNode } from 'react';
import { Failure } from '../ui/state.tsx';

interface State {
  readonly error?: unknown;
}

/** A page that fails says so, and takes nothing with it. A page that was built anew is loaded anew. */
export class Fallible extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return <Failure error={this.state.error} onRetry={() => window.location.reload()} />;
  }
}
