"""The numerical thresholds that the kernels, the solvers and the two-class SVM share, each with its derivation.

Q has unit diagonal, so margins are numbers of order one, and "in units of a margin" means an absolute difference of
y f. There are three kinds. The first follows from the rounding of doubles: EPS = 2.2e-16, some hundred terms in a sum,
and factors of ten of safety. The second was tuned: several values would do, and an experiment chose this one. The third
decides only which of two methods is faster, so it changes the time of a solve and not what is optimal. Limits on the
number of steps, and the sizes of blocks and lists, stand beside their loops.

Compiled loops freeze these numbers. The code on disk belongs to the numbers it was compiled with (`svmlab.jit.cache`).
"""

from __future__ import annotations

from svmlab.core.arrays import EPS

# ---------------------------------------------------------------- Derived from rounding: sums, and what stands for 0
TINY = 1e-300  # stands in for a largest entry of 0 in a quotient; 1 / TINY is finite
SMALLEST_WEIGHT = 5e-324  # the least positive double, which replaces an exact weight that would round to 0
UNDERFLOW = 1e-290  # more than any product can lose by underflow: the least normal double, 2e-308, times many terms
ROUND_OFF = 4 * EPS  # the round-off of a sum of products, relative to the sum of their absolute values
EXACT_ROUND_OFF = 32 * EPS  # a refined solution leaves at most this of the largest entry on the right-hand side
CONSTANT_ROUND_OFF = 64 * EPS  # f varies by less, relative to its terms, where w = 0: alpha was rounded as well
SHIFT_ROUND_OFF = 1e-12  # the same for the shift of b, a product of two sums over all points and coordinates
FLAT_DIRECTION = 1e-14  # 45 EPS: a direction of an SVD with less of the largest extent contains round-off alone
REAL_ROOT = 1e-9  # an imaginary part of a double root of a cubic is about the square root of EPS, times its size
LEAST_SPREAD = 1e-90  # the spread of points in units of sigma whose square is far above the least double
LARGEST_KERNEL_VALUE = 1e100  # a product of three larger kernel values leaves double precision

# ---------------------------------------------------------------- Derived from rounding: the equality and the margins
EQUALITY_TOLERANCE = 1e-12  # y'a = 0 holds up to this fraction of the largest a, the rounding of one refined solution,
EQUALITY_ROUND_OFF = 64 * EPS  # and up to this fraction of sum a, the rounding of the sum itself
MARGIN_TOLERANCE = 1e-10  # in units of a margin: more than a refined system leaves at the entries 1e5 of its inverse
MULTIPLIER_TOLERANCE = 1e-11  # exchanges end below it, a tenth of MARGIN_TOLERANCE, so that their result passes that
LEAST_MULTIPLIER_TOLERANCE = 8 * EPS  # and it shrinks with the sum of the bounds down to this, the rounding of a margin
HULL_TOLERANCE = 1e-15  # the same for nearest points of hulls: their squared distance is compared with 0 itself
SQUARED_DISTANCE_NOISE = 1e-15  # squared distances of hulls up to this are round-off, 4 EPS for entries of order one
LARGEST_HARD_SHORTFALL = 1e-3  # a hard margin with a larger shortfall shows that its distance of hulls was round-off
TIE_TOLERANCE = 1e-12  # a margin this close to 1 is 1: a hundredth of MARGIN_TOLERANCE, in units of the range of f
LEAST_TIE_TOLERANCE = 16 * EPS  # but never less than the rounding of 1 and of the b that is added to it,
TIE_ROUND_OFF = 8 * EPS  # nor than that of Qa, relative to |Q| a; twice ROUND_OFF, for a itself is rounded too
ON_MARGIN = 1e-9  # in units of a margin: ten times MARGIN_TOLERANCE, so no point that passes that is off its line
INTERVAL_NOISE = 1e-9  # an interval of b that is no longer is one value: its ends are two margins, each up to ON_MARGIN
ACCEPTABLE_RESIDUAL = 1e-6  # a result with a larger residual is refused; up to it the result warns that it is not exact
EQUAL_WEIGHT_SUMS = 1e-14  # sums of weights of two classes that differ by less are equal: 45 EPS, or 2 m EPS if larger
EQUAL_BOUND_SUMS = 1e-12  # the same for sums of bounds that were multiplied by kappa
LEAST_FLOOR = 1e-9  # the least residual of a certificate that is worth testing: that of ON_MARGIN
LEAST_NOISE = 16 * EPS  # the round-off of f where its terms are of order one
MAX_PROVABLE_FLOOR = 1e-5  # where rounding alone explains more, nothing is proven: a category needs five digits
INTERIOR_POINT_TOLERANCE = 1e-5  # how far from 1 an interior point alone leaves a margin: the root of its gap 1e-11

# ---------------------------------------------------------------- Derived from rounding: multipliers and systems
ZERO_MULTIPLIER = 1e-9  # of the largest multiplier: what a system with entries up to 1e6 in its inverse leaves of a 0
AT_BOUND = 1e-13  # a multiplier relatively this close to its bound is at it: two changes of scale, some 500 EPS
RANK = 1e-12  # singular values up to this fraction of the largest are 0: EPS times thousands of rows of unit diagonal
DEPENDENT_COLUMNS = 1e-10  # the same for columns of a basis that was itself computed with RANK
ZERO_DIRECTION = 1e-20  # the squared length of such a column, the square of DEPENDENT_COLUMNS
ZERO_COMBINATION = 1e-16  # a combination of them with this squared length, relative to the largest, is 0: (1e-8)^2
UNIQUE_TOLERANCE = 1e-12  # the multipliers of that combination are found to its square root or better
SINGULAR_INVERSE = 1e10  # an inverse with larger entries has fewer than six digits, so its matrix counts as singular
INACCURATE_INVERSE = 1e5  # an inverse with larger entries has fewer than eleven digits, and is refined once
SMALLEST_PIVOT = 1e-3  # a Cholesky factor with a smaller diagonal entry has lost six digits, and is not used
LEAST_DIAGONAL = 1e-100  # a smaller diagonal entry belongs to a point whose image is 0, since (1e-50)^2 is no distance
ZERO_CURVATURE = 1e-11  # of Q_jj: a curvature below it, computed with an inverse of 11 digits, may be 0
CURVATURE_NOISE = 1e-14  # of (|phi_j| + sum |z_s| |phi_s|)^2: the rounding of Q_jj - c'Nc, some 50 products
UPDATE_PIVOT = 1e-9  # an update of an inverse by a smaller pivot loses nine of sixteen digits, so it is computed anew
SMALL_STEP = 1e-14  # of the largest step of a variable: smaller steps are round-off,
SMALLEST_STEP = 1e-200  # and so are steps below this, also where the largest step is 0
LEAST_NORM_TOLERANCE = 1e-13  # Newton's method for the least norm ends below it, per multiplier and the largest one
ZERO_SLOPE = 1e-10  # of its first slope: the slope along a line is then 0, three digits above LEAST_NORM_TOLERANCE
DEPENDENT_FEATURES = 1e-12  # of the largest singular value: features up to it are round-off, as with RANK
SINGULAR_FACTOR = 1e-11  # of the largest diagonal entry of R: below it the steps with R'R keep no digit of a margin
FACTOR_TOLERANCE = 1e-14  # a factor leaves at most this of the diagonal, which is the round-off of Q itself
CONJUGATE_TOLERANCE = 1e-9  # conjugate gradients leave this of a right-hand side, and its square after one refinement
INDEFINITE = 1e-10  # of the largest diagonal entry: an eigenvalue above -INDEFINITE is the round-off of 1e5 entries
ZERO_EIGENVALUE = 1e-13  # per point and the largest diagonal entry: smaller eigenvalues mix with those that are 0
SMALLEST_SINGULAR_VALUE = 1e-10  # of the largest: the square root of EPS and two digits; anything below is rounding

# ---------------------------------------------------------------- Derived from rounding: the path in C
EVENT_TOLERANCE = 1e-10  # relative to c: events that are closer count as one, because each is known to about 1e-12
SLOPE_TOLERANCE = 1e-12  # slopes of a_F below this count as 0
PAIR_TOLERANCE = 1e-15  # of the b at which lines meet, at least of 1: they meet up to the rounding of one operation
SAME_SLOPE = 1e-9  # changes of r, and of its slope times c, below this count as none, as with ON_MARGIN
SAME_BREAKPOINT = 1e-9  # relative: breakpoints that are closer are one, ten times EVENT_TOLERANCE
NEGLIGIBLE_SHARE = 1e-9  # of the largest share a / c: as with ZERO_MULTIPLIER
END_DISTANCE = 1e-4  # the distance from an end of a range at which its formula is computed, of a range of length 1
SAME_CHANGE = 1e-10  # changes in such a range that are closer count as one, as with EVENT_TOLERANCE

# ---------------------------------------------------------------- Derived from rounding: cvxopt, the second solver
# Pairs of tolerance and KKT solver, tried in this order. The slower one comes last, because it can handle singular
# steps. With a tolerance that is too small, cvxopt continues past its best point.
QUADRATIC_ATTEMPTS, LINEAR_ATTEMPTS = ((1e-11, None), (1e-9, "ldl")), ((1e-9, None), (1e-7, "ldl"))
ABSOLUTE_TO_RELATIVE = 1e-4  # cvxopt's absolute tolerance in units of its relative one: values can be this small
USABLE_GAP = 1e-5  # a program with relative gap and residuals up to this is used, whatever cvxopt calls it
ACCEPTED_GAP = 1e-9  # relative gaps and residuals up to this are accepted, as with LEAST_FLOOR
SMALLEST_GAP = 1e-13  # what doubles can reach; where points are close w depends on digits that ACCEPTED_GAP ignores
LEAST_POLISH = 1e-15  # the least multiplier that a Newton step may leave negative: 4 EPS
POLISH_RESIDUAL = 1e-12  # relative: what a Newton step may leave of its system
SHORT_POLISH, LONG_POLISH = 1e-3, 1e3  # a correction of an interior point is shorter than the first, never the second
POLISH_RANK = 1e-11  # the cut of the least-squares step, ten times RANK, for matrices that are not symmetric
POLISHED_ZERO = 1e-12  # after a Newton step, multipliers up to this fraction of the largest are 0 or at their bound
ROUNDED_ZEROS = (1e-6, 1e-9, 1e-12)  # the same for an interior point, tried in this order
VALUE_TOLERANCE = 1e-6  # a solution by cvxopt must prove its value to this relative accuracy

# ---------------------------------------------------------------- Tuned: chosen by an experiment
# Each has its experiment, and benchmarks/README.md has the tables. "Not measured" means that no experiment is recorded.
# Of the largest singular value, for a factor of Q: it knows Q to 1e-12 or better, so its own square roots to 1e-6.
# Experiment: 4,639 problems; with 1e-5 and 1e-7 no answer differs, but single solves take 4 to 25 times as long.
DEPENDENT_FACTOR = 1e-6
# Relative: ten times FACTOR_TOLERANCE, by which a factor in place of Q changes Qa. Experiment: 4,639 problems; with
# 1e-12 nothing differs, and with 1e-14 two answers differ, and one of them is exact to within round-off only.
FACTOR_ERROR = 1e-13
# Fractions of the largest multiplier that count as 0 in the choice of the least norm. The second is used where the
# multipliers of points with both labels are much larger than the others. Experiment: fuzz.py, 20,000 problems; with the
# first alone two polynomials at C = 1e9 had a wrong state.
ZERO_MULTIPLIERS = (ZERO_MULTIPLIER, 1e-12)
# Of the largest multiplier. A free variable nearer to its bound than this might have ended at it with another start.
# Experiment: a start may change no bit (1,801 starts, benchmarks/README.md).
DOUBTFUL_MULTIPLIER = 1e-5
# kappa sum(alpha) above which a start is not used, because rounding decides which optimum the exchanges reach, and
# above which an answer is checked before it is returned. Its product with EPS is 2e-8. Experiment: a start may change
# no bit (1,801 starts, benchmarks/README.md).
LARGEST_REPEATABLE_ALPHA_SUM = 1e8
# Of the length of y: a smaller part of it outside the span of the features is round-off. Experiment: 4,639 problems; no
# answer differs between 1e-11 and 1e-7, and with 1e-11 single solves take up to 100 times as long.
OUTSIDE_SPAN = 1e-9
# The whole class with the smaller sum of bounds is at its bounds below this, and 1 is where it can first be free.
# Experiment: 4,639 problems; without b near a label, 18 of 198 such answers are not proven.
LIGHT_CLASS = 0.25
# Free variables are solved for first where their residual exceeds this part of the worst one. Not measured.
FREE_SET_TOLERANCE = 0.1
# Of a multiplier to its slack in an active row. The two have different units, so slacks are small where points
# are close to each other. With 1 alone the search for the active rows may not end. Not measured further.
RATIOS = (1.0, 1e3, 1e6, 1e-3)
# Coordinates and ranges that make points badly scaled. Not measured.
LARGE_COORDINATE, SMALL_RANGE = 100.0, 0.01
HIGH_C, LOW_C = 10.0, 1e-3  # above HIGH_C = C max k(x, x) a lower C is easier, below LOW_C a higher C: advice alone
# The diameter of the points in units of sigma below which the centred Gaussian is used. Its square leaves the kernel
# ten bits of variation. Experiment: fuzz.py; six wider Gaussians were wrong with the kernel as it is.
WIDEST_SPREAD = 1 / 32

# ---------------------------------------------------------------- Costs: which method is faster
# Points: up to SMALL_PROBLEM the dense matrix costs less than features, up to MAX_DENSE less than rows.
SMALL_PROBLEM, MAX_DENSE = 300, 1000
MANY_FEATURES = 100  # up to this many features their products cost less than values of the kernel
WORTH_UPDATING = 100  # from this many points on, changing a matrix costs less than computing a new one
ELIMINATION_ROWS = 40  # up to this many rows, elimination takes less time than a call of LAPACK
MANY_DEPENDENT, LONG_FACTOR = 40, 4  # a factor pays with more variables, and as many variables for each of its columns
MANY_QR = 300  # with more dependent free variables a null direction costs more than cvxopt
WIDE_SYSTEM = 400  # with more free variables the test for diagonal dominance is worth its cost
DOMINANT = 0.2  # a diagonal entry exceeds the sum of the others by this part of itself: some ten conjugate steps
# The start on pairs, in units of a margin: close to the optimum, where they end, and where slow ones end.
PAIRS_NEAR_OPTIMUM, PAIRS_TOLERANCE, SLOW_PAIRS_TOLERANCE = 1e-2, 1e-4, 1e-3
# Steps on pairs: the basic allowance, and (times m) about what the interior point costs.
BASIC_PAIR_STEPS, INTERIOR_COST_IN_STEPS = 30, 30_000
# Steps in working sets that cost as much as one feature in the interior point (and one step more for ten points).
STEPS_PER_FEATURE = 10
LOW_RANK, MAX_FACTOR_RANK = 24, 64  # the ranks of Q up to which the interior point is fast, and pays for many points
EXACT_FACTOR = 1e-10  # a factor that leaves less of the diagonal represents Q as MARGIN_TOLERANCE sees it
LOCAL_KERNEL = 5e-3  # if a factor leaves more of the diagonal on average, the kernel is too local for a factor
FEW_MULTIPLIERS = 30  # at most so many above 0: the smaller class, as many to balance it, and the free ones
ROUGH_START, FINE_START = 1e-2, 1e-4  # gaps to which the interior point runs: with a rough factor, with an exact one
# The interior point: the ridge and the least distance from the bounds with which it begins, and the growth of the gap
# by which it ends, because its start is then no better.
START_RIDGE, START_SHIFT, DIVERGENCE = 1e-3, 1e-3, 1e3
HARD_MARGIN_BOUND = 1e6  # the bound that replaces C = inf in the start
LEAST_CURVATURE = 1e-12  # a lower bound for the curvature of a step on pairs, so that its length is finite
# Working sets of pairs: the first size, its largest fraction of all points, and the fraction of computed rows above
# which all are loaded and no set is used.
WORKING_SET, MAX_WORKING_SET_FRACTION, MAX_COMPUTED_ROW_FRACTION = 160, 0.5, 0.6
# Steps on all points before the first set, and again after a set of at most FEW_STEPS, because often they suffice.
STEPS_ON_ALL_POINTS, FEW_STEPS = 32, 8
# Steps in a round for each variable of the set, and the fraction of the violation that it leaves.
STEPS_PER_VARIABLE, REMAINING_VIOLATION = 4, 0.03
# Fractions of a set: variables that moved in the round before, or two sets undo each other's steps; and those spread
# over all violators after a round that did not reduce the largest violation, since the worst are similar to each other.
MOVED_FRACTION, SPREAD_FRACTION = 0.75, 0.25
