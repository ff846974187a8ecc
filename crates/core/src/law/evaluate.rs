//! Evaluation of a law over chunks of contacts.

use super::{
    Commit, Contacts, Forces, History, HistoryField, HistoryShape, Step, Transport, UntypedCommit,
    UntypedHistory,
};

/// Evaluation of a law over chunks of contacts, with the history that it stores.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{OVERLAP, RADIUS, simulation};
/// use esker::law::{
///     Commit, Contacts, Evaluate, Forces, History, Law, Model, Optional, PairContext, Step,
///     StoredHistory, WIDTH,
/// };
/// use esker::prelude::*;
///
/// esker::history! {
///     /// Slip of a contact since it began.
///     struct Slipped {
///         slipped: [f64; 3],
///     }
/// }
///
/// /// A spring that loses a tenth of its stiffness in each step, and may record its slip.
/// #[derive(Debug, Clone, Copy)]
/// struct Softening {
///     stiffness: f64,
///     records_slip: bool,
/// }
///
/// impl Evaluate for Softening {
///     type History = Optional<Slipped>;
///
///     fn presence(&self) -> bool {
///         self.records_slip
///     }
///
///     fn evaluate(
///         &self,
///         contacts: &Contacts,
///         _: &Step,
///         history: History<'_, Optional<Slipped>>,
///         forces: &mut Forces,
///     ) {
///         let stored: StoredHistory<'_> = history.stored();
///         for c in 0..WIDTH {
///             let left = 1.0 - stored.of_lane(c).first().unwrap_or(&0.0);
///             forces.elastic[c] += left * self.stiffness * contacts.overlap[c].max(0.0);
///         }
///         if let Some(mut history) = history.present() {
///             for c in 0..WIDTH {
///                 let Slipped { slipped } = history.old(c);
///                 let slipped = std::array::from_fn(|axis| slipped[axis] + contacts.slip[axis][c]);
///                 history.set(c, Slipped { slipped });
///             }
///         }
///     }
///
///     /// Once a step, after it has been accepted.
///     fn commit(&self, commit: &mut Commit<'_, '_, Optional<Slipped>>) {
///         for lane in 0..commit.count() {
///             let lost = &mut commit.stored(lane)[0];
///             *lost += 0.1 * (1.0 - *lost);
///         }
///     }
/// }
///
/// impl Law for Softening {
///     fn stored_history(&self) -> (usize, &str) {
///         (1, "lost fraction of the stiffness")
///     }
/// }
///
/// impl Model for Softening {
///     fn name(&self) -> &'static str {
///         "softening"
///     }
///
///     fn for_pair(&self, _: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
///         Some(Box::new(*self))
///     }
/// }
///
/// # let grains = vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, Vec3::X * (2.0 * RADIUS - OVERLAP))];
/// # let (mut scene, grain) = doc::scene(ContactModel::normal(Softening { stiffness: 1e3, records_slip: true }), Pair::new());
/// # scene.particles.push(Source::list("grains", grain, grains));
/// # scene.step = StepSize::Fixed(1e-9);
/// let mut simulation = scene.build()?;
/// let first = simulation.contacts()[0].elastic;
/// simulation.step()?;
/// assert!((simulation.contacts()[0].elastic / first - 0.9).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
pub trait Evaluate: 'static {
    /// History of a contact: `()`, or a struct declared by [`history!`](crate::history), or several
    /// of them as `(A, (Optional<B>, C))`. It is stored twice, for the accepted state and for the
    /// evaluation, so that an evaluation can be rejected.
    type History: HistoryShape;

    /// True if it reads rolling or twist, or adds a moment. If false, moments that the law adds are
    /// ignored (an error in debug builds).
    const USES_ROLLING: bool = false;

    /// Adds this law's forces for one chunk of contacts, and sets every lane of the history. Lanes
    /// beyond the last contact hold copies of a contact.
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: History<'_, Self::History>,
        forces: &mut Forces,
    );

    /// Which of the [`Optional`](super::Optional) records it stores.
    fn presence(&self) -> <Self::History as HistoryShape>::Presence {
        Default::default()
    }

    /// Transport of the vectors of its history with the tangent plane.
    fn transport(&self) -> Transport {
        Transport::default()
    }

    /// Updates the numbers of [`Law::stored_history`](super::Law::stored_history) for a chunk of contacts whose last evaluation has been
    /// accepted. Called once for each accepted step, for contacts within range at its end. A law
    /// whose own interaction has ended while those of other laws continue must clear its numbers
    /// here. Chunks are composed differently than for `evaluate`.
    fn commit(&self, _commit: &mut Commit<'_, '_, Self::History>) {}
}

/// [`Evaluate`] without its type of history, as the engine calls it. Implemented for every law.
#[doc(hidden)]
pub trait EvaluateColumns {
    /// The fields of its history and the transport of its vectors.
    fn history(&self) -> (Vec<HistoryField>, Transport);

    /// Whether it reads rolling or twist, or adds a moment.
    fn uses_rolling(&self) -> bool;

    /// Evaluates a chunk whose columns are those of [`Self::history`].
    fn evaluate_columns(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: UntypedHistory<'_>,
        forces: &mut Forces,
    );

    /// See [`Evaluate::commit`].
    fn commit_columns(&self, commit: &mut UntypedCommit<'_>);
}

impl<L: Evaluate> EvaluateColumns for L {
    fn history(&self) -> (Vec<HistoryField>, Transport) {
        let mut fields = Vec::new();
        L::History::append_fields(self.presence(), &mut fields);
        (fields, self.transport())
    }

    fn uses_rolling(&self) -> bool {
        L::USES_ROLLING
    }

    fn evaluate_columns(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: UntypedHistory<'_>,
        forces: &mut Forces,
    ) {
        self.evaluate(contacts, step, history.typed(self.presence()), forces);
    }

    fn commit_columns(&self, commit: &mut UntypedCommit<'_>) {
        self.commit(&mut Commit::new(commit));
    }
}
