/* The floor: the least that a plain C program does for the same numbers.

   One thread, one kernel per measure, no SIMD by hand, nothing shared between measures. Sets are CSR arrays whose rows
   are sorted and without duplicates. Scratch space is given by the caller, filled with zeros. */

#include <stdint.h>
#include <string.h>

typedef struct {
    int64_t rows;
    int64_t columns;
    const int32_t *indptr;
    const int32_t *indices;
    const double *data; /* of sets: not used */
} Csr;

/* A row split into common, missed and false labels. */
typedef struct {
    int32_t *common, *missed, *false_;
    int commons, misses, falses;
} Split;

static void split(const Csr *truth, const Csr *prediction, int64_t row, Split *s) {
    int32_t t = truth->indptr[row], t_end = truth->indptr[row + 1];
    int32_t p = prediction->indptr[row], p_end = prediction->indptr[row + 1];
    s->commons = s->misses = s->falses = 0;
    while (t < t_end || p < p_end) {
        if (p == p_end || (t < t_end && truth->indices[t] < prediction->indices[p]))
            s->missed[s->misses++] = truth->indices[t++];
        else if (t == t_end || prediction->indices[p] < truth->indices[t])
            s->false_[s->falses++] = prediction->indices[p++];
        else {
            s->common[s->commons++] = truth->indices[t++];
            p++;
        }
    }
}

/* Scratch: 3 * columns. */
static Split split_in(int32_t *scratch, const Csr *truth) {
    Split s = {scratch, scratch + truth->columns, scratch + 2 * truth->columns, 0, 0, 0};
    return s;
}

static double mean(double sum, int64_t number) { return number ? sum / (double)number : 0.0; }

/* Micro F: labels that both sides have. */
double micro_f(const Csr *truth, const Csr *prediction) {
    int64_t common = 0;
    for (int64_t row = 0; row < truth->rows; row++) {
        int32_t t = truth->indptr[row], t_end = truth->indptr[row + 1];
        int32_t p = prediction->indptr[row], p_end = prediction->indptr[row + 1];
        while (t < t_end && p < p_end) {
            int32_t a = truth->indices[t], b = prediction->indices[p];
            common += a == b;
            t += a <= b;
            p += b <= a;
        }
    }
    int64_t both = (int64_t)truth->indptr[truth->rows] + prediction->indptr[truth->rows];
    return both ? 2.0 * (double)common / (double)both : 1.0;
}

/* Macro F: the mean over the concepts, 0 for those that do not occur. Scratch: 2 * columns. */
double macro_f(const Csr *truth, const Csr *prediction, int64_t *scratch) {
    int64_t *common = scratch, *both = scratch + truth->columns;
    memset(scratch, 0, 2 * (size_t)truth->columns * sizeof *scratch);
    for (int64_t row = 0; row < truth->rows; row++) {
        int32_t t = truth->indptr[row], t_end = truth->indptr[row + 1];
        int32_t p = prediction->indptr[row], p_end = prediction->indptr[row + 1];
        while (t < t_end && p < p_end) {
            int32_t a = truth->indices[t], b = prediction->indices[p];
            common[a] += a == b;
            t += a <= b;
            p += b <= a;
        }
    }
    for (int32_t at = 0; at < truth->indptr[truth->rows]; at++) both[truth->indices[at]]++;
    for (int32_t at = 0; at < prediction->indptr[truth->rows]; at++) both[prediction->indices[at]]++;
    double sum = 0.0;
    for (int64_t concept = 0; concept < truth->columns; concept++)
        if (both[concept]) sum += 2.0 * (double)common[concept] / (double)both[concept];
    return mean(sum, truth->columns);
}

/* Macro F of resamples: the same with weights, resamples x rows. Scratch: 2 * columns. */
void macro_f_of_resamples(const Csr *truth, const Csr *prediction, const uint8_t *weights, int64_t resamples,
                          int64_t *scratch, double *scores) {
    int64_t *common = scratch, *both = scratch + truth->columns;
    for (int64_t resample = 0; resample < resamples; resample++) {
        const uint8_t *drawn = weights + resample * truth->rows;
        memset(scratch, 0, 2 * (size_t)truth->columns * sizeof *scratch);
        for (int64_t row = 0; row < truth->rows; row++) {
            const int64_t weight = drawn[row];
            if (!weight) continue;
            int32_t t = truth->indptr[row], t_end = truth->indptr[row + 1];
            int32_t p = prediction->indptr[row], p_end = prediction->indptr[row + 1];
            for (int32_t at = t; at < t_end; at++) both[truth->indices[at]] += weight;
            for (int32_t at = p; at < p_end; at++) both[prediction->indices[at]] += weight;
            while (t < t_end && p < p_end) {
                int32_t a = truth->indices[t], b = prediction->indices[p];
                if (a == b) common[a] += weight;
                t += a <= b;
                p += b <= a;
            }
        }
        double sum = 0.0;
        for (int64_t concept = 0; concept < truth->columns; concept++)
            if (both[concept]) sum += 2.0 * (double)common[concept] / (double)both[concept];
        scores[resample] = mean(sum, truth->columns);
    }
}

/* Split a row as the confusion matrices do: the label of an empty set is `unknown`, behind all columns. */
static void split_with_unknown(const Csr *truth, const Csr *prediction, int64_t row, Split *s) {
    const int32_t unknown = (int32_t)truth->columns;
    split(truth, prediction, row, s);
    int no_truth = s->commons + s->misses == 0, no_prediction = s->commons + s->falses == 0;
    if (no_truth && no_prediction) s->common[s->commons++] = unknown;
    else if (no_truth) s->missed[s->misses++] = unknown;
    else if (no_prediction) s->false_[s->falses++] = unknown;
}

/* Confusion matrix of Krstinić et al. 2020, Algorithm 1. The last row and column are `unknown`: the label of an empty
   set. Matrix: (columns + 1) squared, zeros. Scratch: 3 * (columns + 1). */
void krstinic(const Csr *truth, const Csr *prediction, double *matrix, int32_t *scratch) {
    const int64_t width = truth->columns + 1;
    Split s = {scratch, scratch + width, scratch + 2 * width, 0, 0, 0};
    for (int64_t row = 0; row < truth->rows; row++) {
        split_with_unknown(truth, prediction, row, &s);
        int true_size = s.commons + s.misses, predicted_size = s.commons + s.falses;
        double diagonal = s.falses && !s.misses ? (double)true_size / predicted_size : 1.0;
        for (int i = 0; i < s.commons; i++) matrix[s.common[i] * width + s.common[i]] += diagonal;
        if (s.misses && s.falses) {
            for (int i = 0; i < s.misses; i++)
                for (int j = 0; j < s.falses; j++) matrix[s.missed[i] * width + s.false_[j]] += 1.0 / s.falses;
        } else if (s.misses) {
            for (int i = 0; i < s.misses; i++)
                for (int j = 0; j < s.commons; j++) matrix[s.missed[i] * width + s.common[j]] += 1.0 / predicted_size;
        } else {
            for (int i = 0; i < s.commons; i++)
                for (int j = 0; j < s.falses; j++) matrix[s.common[i] * width + s.false_[j]] += 1.0 / predicted_size;
        }
    }
}

/* Both planes of the confusion tensor of Krstinić et al. 2024 (`unique`): a missed label is spread over all predicted ones,
   a false one over all true ones. Planes and scratch as above. */
void tensor(const Csr *truth, const Csr *prediction, double *recall, double *precision, int32_t *scratch) {
    const int64_t width = truth->columns + 1;
    Split s = {scratch, scratch + width, scratch + 2 * width, 0, 0, 0};
    for (int64_t row = 0; row < truth->rows; row++) {
        split_with_unknown(truth, prediction, row, &s);
        const double for_missed = 1.0 / (s.commons + s.falses), for_false = 1.0 / (s.commons + s.misses);
        for (int i = 0; i < s.commons; i++) {
            recall[s.common[i] * width + s.common[i]] += 1.0;
            precision[s.common[i] * width + s.common[i]] += 1.0;
            for (int j = 0; j < s.misses; j++) recall[s.missed[j] * width + s.common[i]] += for_missed;
            for (int j = 0; j < s.falses; j++) precision[s.common[i] * width + s.false_[j]] += for_false;
        }
        for (int i = 0; i < s.misses; i++)
            for (int j = 0; j < s.falses; j++) {
                recall[s.missed[i] * width + s.false_[j]] += for_missed;
                precision[s.missed[i] * width + s.false_[j]] += for_false;
            }
    }
}

/* Micro F of the labels and all that is above them. Ancestors: labels x members. Scratch: ancestors->columns. */
double hierarchical_f(const Csr *truth, const Csr *prediction, const Csr *ancestors, int64_t *seen) {
    int64_t common = 0, both = 0;
    for (int64_t row = 0; row < truth->rows; row++) {
        const int64_t true_ = 2 * row + 1, predicted = 2 * row + 2;
        for (int32_t at = truth->indptr[row]; at < truth->indptr[row + 1]; at++) {
            int32_t label = truth->indices[at];
            for (int32_t up = ancestors->indptr[label]; up < ancestors->indptr[label + 1]; up++) {
                int32_t member = ancestors->indices[up];
                both += seen[member] != true_;
                seen[member] = true_;
            }
        }
        for (int32_t at = prediction->indptr[row]; at < prediction->indptr[row + 1]; at++) {
            int32_t label = prediction->indices[at];
            for (int32_t up = ancestors->indptr[label]; up < ancestors->indptr[label + 1]; up++) {
                int32_t member = ancestors->indices[up];
                common += seen[member] == true_;
                both += seen[member] != predicted;
                seen[member] = predicted;
            }
        }
    }
    return both ? 2.0 * (double)common / (double)both : 1.0;
}

/* Fmax on a grid, precision and recall averaged over samples. Scores are counted by the number of thresholds that they
   reach, then summed from the highest down. Ancestors: labels x concepts. Scratch: reached, ancestors->columns zeros;
   places, ancestors->columns; hits and all, thresholds + 1 each; sums, 3 * thresholds. */
typedef struct {
    int64_t *reached;
    int32_t *places;
    int64_t *hits, *all;
    double *sums;
} Curve;

static int thresholds_below(const double *grid, int number, double score) {
    int low = 0, high = number;
    while (low < high) {
        int middle = (low + high) / 2;
        if (grid[middle] <= score) low = middle + 1;
        else high = middle;
    }
    return low;
}

double fmax_on_grid(const Csr *truth, const Csr *scores, const Csr *ancestors, const double *grid, int thresholds,
                    Curve *c) {
    double *precisions = c->sums, *recalls = c->sums + thresholds, *covered = c->sums + 2 * thresholds;
    memset(c->sums, 0, 3 * (size_t)thresholds * sizeof *c->sums);
    const int64_t is_true = 1 << 20;
    for (int64_t row = 0; row < truth->rows; row++) {
        int number = 0, size = 0;
        for (int32_t at = truth->indptr[row]; at < truth->indptr[row + 1]; at++) {
            int32_t label = truth->indices[at];
            for (int32_t up = ancestors->indptr[label]; up < ancestors->indptr[label + 1]; up++) {
                int32_t concept = ancestors->indices[up];
                if (c->reached[concept]) continue;
                c->places[number++] = concept;
                c->reached[concept] = is_true;
                size++;
            }
        }
        for (int32_t at = scores->indptr[row]; at < scores->indptr[row + 1]; at++) {
            int32_t label = scores->indices[at];
            int64_t bin = thresholds_below(grid, thresholds, scores->data[at]);
            for (int32_t up = ancestors->indptr[label]; up < ancestors->indptr[label + 1]; up++) {
                int32_t concept = ancestors->indices[up];
                int64_t found = c->reached[concept], other = found & is_true;
                if (!found && bin) c->places[number++] = concept;
                if (bin > found - other) c->reached[concept] = other | bin;
            }
        }
        memset(c->hits, 0, ((size_t)thresholds + 1) * sizeof *c->hits);
        memset(c->all, 0, ((size_t)thresholds + 1) * sizeof *c->all);
        for (int i = 0; i < number; i++) {
            int64_t found = c->reached[c->places[i]];
            c->all[found & ~is_true]++;
            c->hits[found & ~is_true] += (found & is_true) != 0;
            c->reached[c->places[i]] = 0;
        }
        int64_t hits = 0, all = 0;
        for (int at = thresholds; at > 0; at--) {
            hits += c->hits[at];
            all += c->all[at];
            if (all) precisions[at - 1] += (double)hits / (double)all;
            covered[at - 1] += all > 0;
            recalls[at - 1] += size ? (double)hits / size : !all;
        }
    }
    double best = 0.0;
    for (int at = 0; at < thresholds; at++) {
        double precision = covered[at] ? precisions[at] / covered[at] : 0.0, recall = mean(recalls[at], truth->rows);
        double f = precision + recall ? 2.0 * precision * recall / (precision + recall) : 0.0;
        if (f > best) best = f;
    }
    return best;
}

/* Rules between labels, already inherited by what lies below. */
typedef struct {
    const uint8_t *excludes; /* labels x labels; NULL: no rules at all */
    const Csr *needs;        /* labels x requirements: those that a label has */
    const uint8_t *meets;    /* requirements x labels: the labels that meet it */
} Rules;

static int breaks(const Rules *rules, int32_t label, const int32_t *others, int number, int64_t labels) {
    if (!rules->excludes) return 0;
    for (int i = 0; i < number; i++)
        if (rules->excludes[label * labels + others[i]]) return 1;
    for (int32_t at = rules->needs->indptr[label]; at < rules->needs->indptr[label + 1]; at++) {
        const uint8_t *meets = rules->meets + rules->needs->indices[at] * labels;
        int met = 0;
        for (int i = 0; i < number && !met; i++) met = meets[others[i]];
        if (!met) return 1;
    }
    return 0;
}

static double nearest_in(const double *costs, const int32_t *others, int number) {
    double least = 1.0;
    for (int i = 0; i < number; i++)
        if (costs[others[i]] < least) least = costs[others[i]];
    return least;
}

static double of_sample(double charged, int true_size, int predicted_size, int common) {
    int together = true_size + predicted_size - common;
    if (!together) return 1.0;
    if (!predicted_size) return 0.0;
    double score = 1.0 - charged / together;
    return score < 1e-12 ? 0.0 : score;
}

/* The ontology score of Nowak and Lukashevich 2009, every label fully agreed on, with a table of all costs.
   Scratch: 3 * columns. */
double ontology_score(const Csr *truth, const Csr *prediction, const double *costs, const Rules *rules,
                      int32_t *scratch) {
    const int64_t labels = truth->columns;
    double sum = 0.0;
    Split s = split_in(scratch, truth);
    for (int64_t row = 0; row < truth->rows; row++) {
        const int32_t *true_ = truth->indices + truth->indptr[row];
        const int32_t *predicted = prediction->indices + prediction->indptr[row];
        split(truth, prediction, row, &s);
        int true_size = s.commons + s.misses, predicted_size = s.commons + s.falses;
        double charged = 0.0;
        for (int i = 0; i < s.falses; i++)
            charged += breaks(rules, s.false_[i], predicted, predicted_size, labels)
                           ? 1.0
                           : nearest_in(costs + s.false_[i] * labels, true_, true_size);
        for (int i = 0; i < s.misses; i++)
            charged += nearest_in(costs + s.missed[i] * labels, predicted, predicted_size);
        sum += of_sample(charged, true_size, predicted_size, s.commons);
    }
    return mean(sum, truth->rows);
}

/* The cheapest way up from some labels to each concept, and from there down to some others. */
static void mark(const Csr *upward, const int32_t *labels, int number, int64_t stamp, int64_t *seen, double *least) {
    for (int i = 0; i < number; i++) {
        for (int32_t up = upward->indptr[labels[i]]; up < upward->indptr[labels[i] + 1]; up++) {
            int32_t concept = upward->indices[up];
            if (seen[concept] != stamp || upward->data[up] < least[concept]) least[concept] = upward->data[up];
            seen[concept] = stamp;
        }
    }
}

static double over(const Csr *upward, const int32_t *labels, int number, int64_t stamp, const int64_t *seen,
                   const double *least) {
    double charged = 0.0;
    for (int i = 0; i < number; i++) {
        double cost = 1.0;
        for (int32_t up = upward->indptr[labels[i]]; up < upward->indptr[labels[i] + 1]; up++) {
            int32_t concept = upward->indices[up];
            if (seen[concept] == stamp && upward->data[up] + least[concept] < cost)
                cost = upward->data[up] + least[concept];
        }
        charged += cost;
    }
    return charged;
}

/* The same without a table and without rules: the nearest label is found over the common ancestors.
   Upward: labels x concepts, the cost of the cheapest way up. Scratch: 3 * columns; seen and least: upward->columns. */
double ontology_score_by_paths(const Csr *truth, const Csr *prediction, const Csr *upward, int32_t *scratch,
                               int64_t *seen, double *least) {
    double sum = 0.0;
    Split s = split_in(scratch, truth);
    for (int64_t row = 0; row < truth->rows; row++) {
        split(truth, prediction, row, &s);
        int true_size = s.commons + s.misses, predicted_size = s.commons + s.falses;
        mark(upward, truth->indices + truth->indptr[row], true_size, 2 * row + 1, seen, least);
        double charged = over(upward, s.false_, s.falses, 2 * row + 1, seen, least);
        mark(upward, prediction->indices + prediction->indptr[row], predicted_size, 2 * row + 2, seen, least);
        charged += over(upward, s.missed, s.misses, 2 * row + 2, seen, least);
        sum += of_sample(charged, true_size, predicted_size, s.commons);
    }
    return mean(sum, truth->rows);
}

/* The transport matrix, labels as given: at each concept above missed and false labels, those of the largest size first,
   what is left of them is paired in proportion. Concepts of equal size share a label equally. */
typedef struct {
    const Csr *upward;    /* labels x concepts, without concepts that say nothing */
    const uint8_t *above; /* the same as a table */
    const double *sizes;
} Tree;

typedef struct {
    const int32_t *labels[2];
    int numbers[2];
    double *left[2], *mass[2], *taken[2]; /* of each label */
} Plan;

/* Put what the masses pair into the matrix. */
static void pair(const Plan *p, int64_t width, double *matrix) {
    double sums[2] = {0.0, 0.0};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < p->numbers[side]; i++) sums[side] += p->mass[side][i];
    const double weight = 1.0 / (sums[0] > sums[1] ? sums[0] : sums[1]);
    for (int i = 0; i < p->numbers[0]; i++) {
        if (p->mass[0][i] == 0.0) continue;
        for (int j = 0; j < p->numbers[1]; j++)
            matrix[p->labels[0][i] * width + p->labels[1][j]] += p->mass[0][i] * p->mass[1][j] * weight;
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < p->numbers[side]; i++) p->taken[side][i] += p->mass[side][i] * sums[1 - side] * weight;
}

static void pair_at(const int32_t *shared, int number, const Tree *tree, const Plan *p, uint8_t *live, int64_t width,
                    double *matrix) {
    for (int at = 0; at < number; at++) {
        double sums[2] = {0.0, 0.0};
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < p->numbers[side]; i++)
                if (tree->above[p->labels[side][i] * tree->upward->columns + shared[at]]) sums[side] += p->left[side][i];
        live[at] = sums[0] > 1e-12 && sums[1] > 1e-12;
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < p->numbers[side]; i++) p->taken[side][i] = 0.0;
    for (int at = 0; at < number; at++) {
        if (!live[at]) continue;
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < p->numbers[side]; i++) {
                const uint8_t *above = tree->above + p->labels[side][i] * tree->upward->columns;
                int shares = 0;
                for (int other = 0; other < number; other++) shares += live[other] && above[shared[other]];
                p->mass[side][i] = above[shared[at]] ? p->left[side][i] / shares : 0.0;
            }
        pair(p, width, matrix);
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < p->numbers[side]; i++)
            if ((p->left[side][i] -= p->taken[side][i]) < 1e-12) p->left[side][i] = 0.0;
}

enum { TRUE_ = 1, PREDICTED = 2, MISSED = 4, FALSE_ = 8 };

static void mark_above(const Csr *upward, const int32_t *labels, int number, int mark, uint8_t *marks) {
    for (int i = 0; i < number; i++)
        for (int32_t up = upward->indptr[labels[i]]; up < upward->indptr[labels[i] + 1]; up++)
            marks[upward->indices[up]] |= (uint8_t)mark;
}

/* Labels that share no concept with the whole other side are paired last; the last row and column of the matrix are what
   is left. Matrix: (columns + 1) squared, zeros. Scratch: split, 3 * columns; shared, concepts; marks, 2 * concepts;
   masses, 6 * columns. */
void transport(const Csr *truth, const Csr *prediction, const Tree *tree, double *matrix, int32_t *scratch,
               int32_t *shared, uint8_t *marks, double *masses) {
    const int64_t labels = truth->columns, width = labels + 1, concepts = tree->upward->columns;
    Split s = split_in(scratch, truth);
    for (int64_t row = 0; row < truth->rows; row++) {
        split(truth, prediction, row, &s);
        if (!(s.commons + s.misses + s.falses)) matrix[width * width - 1] += 1.0;
        for (int i = 0; i < s.commons; i++) matrix[s.common[i] * width + s.common[i]] += 1.0;
        Plan p = {{s.missed, s.false_}, {s.misses, s.falses}, {masses, masses + labels},
                  {masses + 2 * labels, masses + 3 * labels}, {masses + 4 * labels, masses + 5 * labels}};
        memset(marks, 0, (size_t)concepts);
        mark_above(tree->upward, s.common, s.commons, TRUE_ | PREDICTED, marks);
        for (int side = 0; side < 2; side++) {
            mark_above(tree->upward, p.labels[side], p.numbers[side], side ? PREDICTED | FALSE_ : TRUE_ | MISSED, marks);
            for (int i = 0; i < p.numbers[side]; i++) p.left[side][i] = 1.0;
        }
        int number = 0;
        for (int32_t at = 0; at < concepts; at++) {
            if (marks[at] < (MISSED | FALSE_)) continue;
            int place = number++;
            for (; place && tree->sizes[shared[place - 1]] < tree->sizes[at]; place--) shared[place] = shared[place - 1];
            shared[place] = at;
        }
        for (int begin = 0, end; begin < number; begin = end) {
            for (end = begin + 1; end < number && tree->sizes[shared[end]] == tree->sizes[shared[begin]];) end++;
            pair_at(shared + begin, end - begin, tree, &p, marks + concepts, width, matrix);
        }
        int last[2] = {0, 0};
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < p.numbers[side]; i++) {
                const int32_t *up = tree->upward->indptr + p.labels[side][i];
                int alone = 1;
                for (int32_t at = up[0]; at < up[1]; at++)
                    alone &= !(marks[tree->upward->indices[at]] & (side ? TRUE_ : PREDICTED));
                p.mass[side][i] = alone;
                p.taken[side][i] = 0.0;
                last[side] += alone;
            }
        if (last[0] && last[1]) pair(&p, width, matrix);
        for (int i = 0; i < s.misses; i++) matrix[s.missed[i] * width + labels] += p.left[0][i] - p.taken[0][i];
        for (int i = 0; i < s.falses; i++) matrix[labels * width + s.false_[i]] += p.left[1][i] - p.taken[1][i];
    }
}
